import { expect, test } from 'vitest';
import { createStore } from '#lib/kube/index.ts';
import { keptNames } from './kept-names.ts';
import { queryHints } from './query-hints.ts';

test('an aggregator that cannot be asked is one line of the log, however many queries are typed', async () => {
  let now = 0;
  const lines: string[] = [];
  const by = {
    kube: createStore({ name: 'lab', source: 'sandbox' }),
    cluster: 'lab',
    histories: { kept: async () => null },
    log: (line: string) => lines.push(line),
    names: keptNames(
      () => Promise.reject(new Error('away')),
      () => now,
    ),
  };
  const typed = () => queryHints(by, 'from:a', new AbortController().signal);
  for (let times = 0; times < 3; times++) expect(await typed()).toEqual({});
  expect(lines).toEqual(['the aggregator completes no query']);
  now += 10_000;
  await typed();
  expect(lines).toHaveLength(2);
});
