import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FlowClient } from '../client/flow-client.ts';
import { type Flow, historySeconds } from '../flow.ts';
import { FlowError } from '../flow-error.ts';
import { everyFlow } from '../flow-filter.ts';
import { aFlow } from '../testing/a-flow.ts';
import { type CollectOptions, type CollectorNews, collectFlows } from './collect-flows.ts';
import { type Collected, type Sink, SinkError } from './collected.ts';
import type { Position } from './position.ts';

const origin = 1_800_000_000;
const flowAt = (bucket: number, port: number): Flow => {
  const start = origin + bucket * 15;
  return { id: `${start}-${port}`, ...aFlow({ start, port }) };
};

/** An aggregator that sends its flows from a time on, and then nothing. `breaksAfter`: the number of flows after which its first stream breaks. */
function anAggregator(flows: () => readonly Flow[], process = () => 'one') {
  let breaksAfter = Number.POSITIVE_INFINITY;
  const client = (): FlowClient => ({
    format: 'v3.30',
    process: process(),
    list: () => expect.unreachable(),
    hints: () => expect.unreachable(),
    statistics: () => expect.unreachable(),
    close: async () => undefined,
    async *stream(gte, _filter, signal) {
      const matching = flows().filter(({ end }) => gte < 0 || end > gte);
      const most = breaksAfter;
      breaksAfter = Number.POSITIVE_INFINITY;
      for (const [index, flow] of matching.entries()) {
        if (index >= most) throw new FlowError('unreachable', 'It broke.');
        yield flow;
      }
      if (!signal.aborted)
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  });
  return {
    open: async () => client(),
    breakAfter: (count: number) => {
      breaksAfter = count;
    },
  };
}

/** Keeps what it takes. `faults`: called instead of taking, one per call. */
function aSink(faults: (() => never)[] = []) {
  const taken: Collected[] = [];
  const sink: Sink = {
    take: async (batch) => {
      faults.shift()?.();
      taken.push(...batch);
      return { refused: 0, because: '' };
    },
    close: async () => undefined,
  };
  return { sink, taken, ids: () => taken.flatMap((one) => (one.type === 'flow' ? [one.flow.id] : [])) };
}

const waits = (): never => {
  throw new SinkError('waits', 'It is full.');
};

/** Runs a collector until `enough`, then ends it as a kill does: only its last saved position remains. */
async function run(given: Partial<CollectOptions> & Pick<CollectOptions, 'open' | 'sink'>, enough: () => boolean) {
  const stop = new AbortController();
  const news: CollectorNews[] = [];
  let position = given.position ?? null;
  const count = await collectFlows({
    filter: everyFlow,
    wanted: () => true,
    sinceSeconds: historySeconds,
    clock: { sleep: async () => undefined },
    random: () => 0,
    now: () => origin + 600,
    batches: { most: 3, waitMs: 1 },
    saveEverySeconds: 0,
    position,
    ...given,
    signal: stop.signal,
    save: async (saved) => {
      position = JSON.parse(JSON.stringify(saved)) as Position;
      await given.save?.(saved);
      if (enough()) stop.abort();
    },
    tell: (one) => news.push(one),
  });
  return { count, news, position };
}

test('cut, refused for a while and started again at any point: each flow once, and none is lost', async () => {
  const all = Array.from({ length: 8 }, (_, bucket) => [flowAt(bucket, 1), flowAt(bucket, 2)]).flat();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(all.length),
      fc.array(fc.boolean(), { maxLength: 6 }),
      fc.nat(all.length),
      async (cut, refusals, first) => {
        const { sink, ids } = aSink(refusals.map((isRefused) => (isRefused ? waits : () => undefined as never)));
        const known = all.slice(0, first);
        let aggregator = anAggregator(() => known);
        aggregator.breakAfter(cut);
        const before = await run({ open: aggregator.open, sink }, () => ids().length >= first);
        aggregator = anAggregator(() => all);
        aggregator.breakAfter(cut);
        await run({ open: aggregator.open, sink, position: before.position }, () => ids().length >= all.length);
        expect(ids()).toEqual(all.map(({ id }) => id));
      },
    ),
    { numRuns: 60 },
  );
});

test('what an aggregator that was replaced meanwhile had not told is a record before the first flow after it', async () => {
  const { sink, taken, ids } = aSink();
  const before = await run({ open: anAggregator(() => [flowAt(0, 1)]).open, sink }, () => ids().length >= 1);
  const after = anAggregator(
    () => [flowAt(20, 2)],
    () => 'other',
  );
  const { news } = await run({ open: after.open, sink, position: before.position }, () => ids().length >= 2);
  const lost = {
    type: 'lost',
    since: origin + 15,
    until: origin + 300,
    because: 'the aggregator was replaced before it had sent them',
  };
  expect(taken.slice(1)).toEqual([lost, { type: 'flow', flow: flowAt(20, 2) }]);
  expect(news).toContainEqual(lost);
});

test('a loss that was seen and not handed on is seen again by the next process', async () => {
  const { sink, taken, ids } = aSink();
  const one = await run({ open: anAggregator(() => [flowAt(0, 1)]).open, sink }, () => ids().length >= 1);
  // No flow follows, so the loss has no end yet.
  const other = () => 'other';
  let saves = 0;
  const save = async () => {
    saves++;
  };
  const two = await run(
    { open: anAggregator(() => [], other).open, sink, position: one.position, save },
    () => saves >= 2,
  );
  await run(
    { open: anAggregator(() => [flowAt(20, 2)], other).open, sink, position: two.position },
    () => ids().length >= 2,
  );
  expect(taken.map(({ type }) => type)).toEqual(['flow', 'lost', 'flow']);
});

test('who was away for longer than the aggregator keeps says so, and who only heard nothing does not', async () => {
  const { sink, taken, ids } = aSink();
  const first = await run({ open: anAggregator(() => [flowAt(0, 1)]).open, sink }, () => ids().length >= 1);
  const day = 86_400;
  const later = { open: anAggregator(() => [flowAt(day / 15, 2)]).open, sink };
  await run({ ...later, position: first.position, now: () => origin + day }, () => ids().length >= 2);
  expect(taken[1]).toMatchObject({ type: 'lost', since: origin + 15, until: origin + day });

  const awake = first.position && { ...first.position, at: origin + day - 60 };
  taken.length = 0;
  await run({ ...later, position: awake, now: () => origin + day }, () => ids().length >= 1);
  expect(taken.map(({ type }) => type)).toEqual(['flow']);
});

test('flows that are refused for good are counted and said, and what nobody can wait for ends it', async () => {
  const refusing: Sink = {
    take: async (batch) => ({ refused: batch.length, because: 'too odd' }),
    close: async () => undefined,
  };
  let saves = 0;
  const save = async () => {
    saves++;
  };
  const open = anAggregator(() => [flowAt(0, 1)]).open;
  const { count, news } = await run({ open, sink: refusing, save }, () => saves >= 2);
  expect(count).toBe(0);
  expect(news).toContainEqual({ type: 'refused', count: 1, because: 'too odd' });

  const { sink } = aSink([
    () => {
      throw new SinkError('ends', 'No such folder.');
    },
  ]);
  await expect(run({ open, sink }, () => false)).rejects.toThrow('No such folder.');
});

test('a target that cannot be reached ends it before there are flows, and one that is away is waited for', async () => {
  const open = anAggregator(() => []).open;
  const { sink } = aSink();
  const wrong = async () => {
    throw new SinkError('ends', 'A wrong password.');
  };
  await expect(run({ open, sink: { ...sink, open: wrong } }, () => true)).rejects.toThrow('A wrong password.');
  let tries = 0;
  const away = async () => {
    if (++tries < 3) throw new SinkError('waits', 'It is away.');
  };
  const taking = aSink();
  const { news } = await run(
    { open: anAggregator(() => [flowAt(0, 1)]).open, sink: { ...taking.sink, open: away } },
    () => taking.ids().length > 0,
  );
  expect(news.map(({ type }) => type)).toEqual(['waiting', 'waiting', 'connected']);
});
