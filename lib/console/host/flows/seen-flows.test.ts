import { expect, test } from 'vitest';
import { windowOf } from '#lib/flows/in-browser.ts';
import type { FlowHistory, Query } from '#lib/flows/index.ts';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { createStore } from '#lib/kube/index.ts';
import { seenFlows } from './seen-flows.ts';

const day = 86_400;
/** Seconds before now. */
const ask = (since: number, until: number | null = null): Query => ({
  terms: [],
  since: { ago: since },
  until: until === null ? null : { ago: until },
});

/** `span`: what is recorded, in seconds before now. `kept`: its newest flow. */
async function seen(query: Query, span: readonly [since: number, until: number], changed: Partial<FlowHistory> = {}) {
  const now = Math.floor(Date.now() / 1000);
  const recorded = { id: 'kept', ...aFlow({ start: now - span[1] - 15 }) };
  const live = { id: 'live', ...aFlow({ start: now - 50 }) };
  const aggregator: Query[] = [];
  const logged: string[] = [];
  const history = {
    spans: async () => [{ since: now - span[0], until: now - span[1] }],
    list: async (query: Query) => {
      // Relative times end with the newest flow of the history.
      const { since, until } = windowOf(query, recorded.end) ?? expect.unreachable();
      const flows = recorded.start >= since && recorded.start < until ? [recorded] : [];
      return { flows, isCut: flows.length > 0 };
    },
    ...changed,
  } as FlowHistory;
  const { flows, isCut } = await seenFlows(
    {
      kube: createStore({ name: 'lab', source: 'sandbox' }),
      cluster: 'lab-1',
      histories: { existing: async () => history },
      log: (line) => logged.push(line),
      ofAggregator: async (query) => {
        aggregator.push(query);
        return [live];
      },
    },
    query,
    new AbortController().signal,
  );
  return { aggregator, logged, isCut, ids: flows.map(({ id }) => id) };
}

test('a history that has recorded all that is asked for answers alone, and says where it is cut', async () => {
  expect(await seen(ask(900), [day, 30])).toMatchObject({ ids: ['kept'], isCut: true, aggregator: [] });
  expect(await seen(ask(3 * day, 2 * day), [7 * day, 2.5 * day])).toMatchObject({ ids: ['kept'], aggregator: [] });
});

test.each([
  ['ended days ago', [7 * day, 3 * day], ['live'], false],
  ['has not caught up yet', [day, 300], ['live', 'kept'], true],
  ['began meanwhile', [70, 50], ['live', 'kept'], true],
] as const)(
  'one that %s tells of the last minutes only what the aggregator does not',
  async (_what, span, ids, isCut) => {
    expect(await seen(ask(900), span)).toMatchObject({ ids, isCut, aggregator: [ask(900)] });
  },
);

test('what is older than the hour of an aggregator is of the history', async () => {
  expect(await seen(ask(2 * day), [7 * day, day])).toMatchObject({
    ids: ['live', 'kept'],
    aggregator: [ask(3600)],
  });
});

test('one that cannot be read leaves the aggregator to answer', async () => {
  const broken = { list: () => Promise.reject(new Error('locked')) };
  const { ids, logged } = await seen(ask(900), [day, 30], broken);
  expect(ids).toEqual(['live']);
  expect(new Set(logged)).toEqual(new Set(['the history of flows cannot be read']));
  expect(await seen(ask(900), [day, 30], { spans: broken.list })).toMatchObject({ ids: ['live'] });
});
