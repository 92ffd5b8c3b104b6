import { expect, test } from 'vitest';
import type { FlowHistory } from '#lib/flows/index.ts';
import { aFlowWithId } from '#lib/flows/testing/a-flow.ts';
import { createStore } from '#lib/kube/index.ts';
import { keptHints } from './kept-hints.ts';
import { hintSources, queryHints } from './query-hints.ts';

test('an aggregator that cannot be asked is one line of the log, however many queries are typed', async () => {
  let now = 0;
  const lines: string[] = [];
  const by = {
    kube: createStore({ name: 'lab', source: 'sandbox' }),
    cluster: 'lab',
    histories: { existing: async () => null },
    log: (line: string) => lines.push(line),
    sources: {
      ...hintSources(),
      names: keptHints(
        () => Promise.reject(new Error('away')),
        60_000,
        () => now,
      ),
    },
  };
  const typed = () => queryHints(by, 'from:a', new AbortController().signal);
  for (let times = 0; times < 3; times++) expect(await typed()).toEqual({});
  expect(lines).toEqual(['the aggregator completes no query']);
  now += 10_000;
  await typed();
  expect(lines).toHaveLength(2);
});

test('the history counts once for a time, whatever else is typed and however many pages ask', async () => {
  const queries: unknown[] = [];
  const history = {
    list: async (query: unknown) => {
      queries.push(query);
      return { flows: [aFlowWithId({ port: 5432 })], isCut: false };
    },
  } as unknown as FlowHistory;
  const by = {
    kube: createStore({ name: 'lab', source: 'sandbox' }),
    cluster: 'lab',
    histories: { existing: async () => history },
    log: () => undefined,
    sources: { ...hintSources(), names: keptHints(async () => expect.unreachable(), 60_000) },
  };
  const typed = (text: string) => queryHints(by, text, new AbortController().signal);
  const [first] = await Promise.all(['port:', 'port:5', 'since:1h port:54'].map(typed));
  expect(first?.port).toEqual([{ word: 'port:5432', flows: 1 }]);
  expect(await typed('port:5432')).toEqual(first);
  expect(queries).toHaveLength(1);
  await typed('since:2h port:5432');
  expect(queries).toHaveLength(2);
});
