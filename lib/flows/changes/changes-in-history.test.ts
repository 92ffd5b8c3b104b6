import { expect, test } from 'vitest';
import type { Flow } from '../flow.ts';
import type { RecordedSpan } from '../history/history-engine.ts';
import { parseQuery } from '../query/parse-query.ts';
import { queryText } from '../query/query-text.ts';
import { windowOf } from '../query/window.ts';
import { aFlow } from '../testing/a-flow.ts';
import { changesInHistory, comparedTimes, unrecordedTimes } from './changes-in-history.ts';

const begun = 1_800_000_007;
const recorded = [{ since: begun - 86_400, until: begun + 86_400 }];
const busy = { started: 600, completed: 600, live: 0 };
const flowAt = (start: number, changed: Parameters<typeof aFlow>[0] = {}): Flow => ({
  id: `${start}`,
  ...aFlow({ start, connections: busy, ...changed }),
});
const hour = [flowAt(begun - 3592), flowAt(begun - 37)];

/** Answers as an engine: the flows that begin in the requested time. */
function aHistory(flows: readonly Flow[], now: number, spans: readonly RecordedSpan[] = recorded, isCut = false) {
  const ranges: RecordedSpan[] = [];
  return {
    ranges,
    newest: () => now,
    spans: async () => spans,
    list: async (query: Parameters<typeof windowOf>[0]) => {
      // The query must also survive being written into an address.
      const range = windowOf(parseQuery(queryText({ terms: [], ...query })).query, now) ?? expect.unreachable();
      ranges.push(range);
      return { flows: flows.filter(({ start }) => start >= range.since && start < range.until), isCut };
    },
  };
}

test('what talked to the last before a run and is not heard of since is silent', async () => {
  const history = aHistory([...hour, flowAt(begun + 300, { port: 1 })], begun + 600);
  const found = await changesInHistory(history, { begun, ended: begun + 100 });
  expect(found).toMatchObject({
    talked: 1,
    secondsBefore: 3600,
    isCut: false,
    pairs: [{ state: 'silent', from: 'shop/checkout' }],
  });
  expect(history.ranges).toEqual([
    { since: 1_799_996_400, until: 1_800_000_000 },
    { since: 1_800_000_120, until: begun + 600 },
  ]);
});

test('of what is kept by ten minutes, the steps that the run touches count as neither', async () => {
  const day = 86_400;
  const history = aHistory(hour, begun + 2 * day, [{ since: 0, until: begun + 2 * day }]);
  await changesInHistory(history, { begun, ended: begun + 100 });
  expect(history.ranges.map(({ since, until }) => [since % 600, until % 600])).toEqual([
    [0, 0],
    [0, (begun + 2 * day) % 600],
  ]);
  expect(history.ranges[1]?.since).toBe(1_800_000_600);
});

test('a window is compared with as long a time right before the run', async () => {
  const denied = flowAt(begun + 300, { verdict: 'denied' });
  const history = aHistory([...hour, denied, flowAt(begun + 900)], begun + 1200);
  const window = { since: begun + 293, until: begun + 893 };
  expect(await changesInHistory(history, { begun, ended: begun + 100 }, window)).toMatchObject({
    before: { since: begun - 607, until: begun - 7 },
    since: window,
    pairs: [{ state: 'denied', query: 'from:shop/checkout to:payments/ledger-db' }],
  });
});

test('of a window that reaches back past the run only what is since it ended counts as since', async () => {
  const during = flowAt(begun + 53, { verdict: 'denied' });
  const history = aHistory([...hour, during], begun + 1200);
  const run = { begun, ended: begun + 293 };
  expect(await changesInHistory(history, run, { since: begun - 607, until: begun + 893 })).toMatchObject({
    before: { since: begun - 607, until: begun - 7 },
    since: { since: begun + 293, until: begun + 893 },
    pairs: [],
  });
  const past = { since: begun - 607, until: begun + 200 };
  expect(await changesInHistory(history, run, past)).toBeNull();
  expect(comparedTimes(run, past, begun + 1200)).toBeNull();
});

test('time that was not recorded is no silence', async () => {
  const most = { since: begun - 86_400, until: begun };
  const late = [most, { since: begun + 590, until: begun + 600 }];
  expect(await changesInHistory(aHistory(hour, begun + 600, late), { begun, ended: null })).toMatchObject({
    pairs: [],
    untold: 1,
  });
  for (const spans of [[most], [{ since: begun, until: begun + 600 }], []])
    expect(await changesInHistory(aHistory(hour, begun + 600, spans), { begun, ended: null })).toBeNull();
});

test('where more flows were told than are compared, what is denied is told and silence is not', async () => {
  const quiet = { kind: 'workload' as const, namespace: 'shop', name: 'quiet', labels: [] };
  const both = hour.flatMap((flow) => [flow, { ...flow, id: `${flow.id}q`, from: quiet }]);
  const denied = flowAt(begun + 300, { verdict: 'denied' });
  const history = aHistory([...both, denied], begun + 600, recorded, true);
  expect(await changesInHistory(history, { begun, ended: null })).toMatchObject({
    isCut: true,
    pairs: [{ state: 'denied', from: 'shop/checkout' }],
  });
});

test.each<[string, RecordedSpan[], string]>([
  ['before the run', [{ since: begun + 100, until: begun + 600 }], 'before'],
  ['since it ended', [{ since: begun - 600, until: begun + 30 }], 'since'],
  ['in either time', [{ since: begun - 86_400, until: begun - 80_000 }], 'both'],
  ['while nothing is missing', recorded, 'neither'],
])('it says when nothing was recorded %s', async (_what, spans, expected) => {
  const run = { begun, ended: begun + 60 };
  expect(await unrecordedTimes(aHistory([], begun + 600, spans), run, null)).toBe(expected);
});

test('without a history nothing was recorded, and a window before the end of the run has nothing since', async () => {
  const run = { begun, ended: begun + 60 };
  expect(await unrecordedTimes(null, run, null)).toBe('both');
  expect(await unrecordedTimes(aHistory([], begun + 600), run, { since: begun - 60, until: begun })).toBe('ahead');
});
