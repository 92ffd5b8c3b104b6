import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunStreamEvent, RunView } from '../wire.ts';
import { foldRun } from './fold-run.ts';
import { aLine, aNow, aRunView } from './testing/views.ts';

const run = '20260101-0000-3f9c';
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

const bodies = fc.oneof(
  fc.record({
    event: fc.constant('node' as const),
    data: fc.record({
      name: fc.constantFrom('w-1', 'w-2', 'w-3', 'w-4'),
      state: fc.constantFrom('waiting', 'restarting', 'proven', 'refused', 'unknown', 'not-counted'),
      dataplane: fc.constantFrom('bpf', 'standard', null),
      detail: fc.string({ maxLength: 8 }),
      evidence: fc.constant([]),
    }),
  }),
  fc.record({
    event: fc.constant('operation' as const),
    data: fc.record({
      direction: fc.constantFrom('forward', 'undo'),
      seq: fc.constantFrom(1, 2),
      id: fc.constant('an.operation'),
      title: fc.constant('An operation'),
      state: fc.constantFrom('begun', 'acted', 'waiting', 'finished', 'failed'),
      awaiting: fc.constantFrom(null, 'something'),
      heldUpBy: fc.constant([]),
      usualSeconds: fc.constant(20),
      deadlineAt: fc.constant(null),
      note: fc.constantFrom(null, 'a note'),
      outcome: fc.constantFrom(null, 'met', 'unknown'),
    }),
  }),
  fc.record({ event: fc.constant('log' as const), data: fc.record({ message: fc.string({ maxLength: 5 }) }) }),
  fc.record({
    event: fc.constant('condition' as const),
    data: fc.record({
      object: fc.constant('TigeraStatus/calico'),
      type: fc.constantFrom('Available', 'Degraded'),
      status: fc.constantFrom('True', 'False'),
      message: fc.constant(null),
    }),
  }),
  fc.record({
    event: fc.constant('stale' as const),
    data: fc.constantFrom(null, { since: at(0), message: 'away' }),
  }),
);
const streams = fc
  .array(bodies, { maxLength: 40 })
  .map((all) => all.map((body, index) => ({ ...body, id: 101 + index, at: at(index), run }) as RunStreamEvent));

const folded = (view: RunView, events: readonly RunStreamEvent[]) => events.reduce(foldRun, view);
const overTheWire = (view: RunView) => JSON.parse(JSON.stringify(view)) as RunView;

test('whoever loads the page in the middle sees what somebody sees who followed from the start', () => {
  fc.assert(
    fc.property(streams, fc.nat(40), (events, cut) => {
      const first = folded(aRunView(), events.slice(0, cut));
      const loaded = foldRun(aRunView(), { event: 'snapshot', data: overTheWire(first) });
      expect(folded(loaded, events.slice(cut))).toEqual(folded(aRunView(), events));
    }),
  );
});

test('events that were seen already change nothing, however many come again', () => {
  fc.assert(
    fc.property(streams, fc.nat(40), (events, back) => {
      const after = folded(aRunView(), events);
      // Events about an unreachable cluster may be repeated at any time.
      const again = events.slice(-back).filter(({ event }) => event !== 'stale');
      expect(folded(after, again)).toEqual(after);
    }),
  );
});

test('a view that was folded is as it was: pages keep old ones while updates are paused', () => {
  fc.assert(
    fc.property(streams, streams, (events, others) => {
      const base = folded(aRunView(), events);
      const before = overTheWire(base);
      const later = others.map((event) => ('id' in event ? { ...event, id: event.id + 100 } : event));
      const once = folded(base, later);
      expect(base).toEqual(before);
      expect(folded(base, later)).toEqual(once);
    }),
  );
});

describe('how long a node took', () => {
  const node = (state: 'waiting' | 'restarting' | 'proven', second: number): RunStreamEvent => ({
    event: 'node',
    id: 101 + second,
    at: at(second),
    run,
    data: { name: 'w-1', state, dataplane: state === 'proven' ? 'bpf' : null, detail: state, evidence: [] },
  });
  test('from the first sign of its move to its proof', () => {
    const view = folded(aRunView(), [node('waiting', 0), node('restarting', 4), node('proven', 24)]);
    expect(view.nodes[0]).toMatchObject({ tookSeconds: 24, since: at(24), movingSince: null });
  });
  test('is not known of one that was proven at the first look', () => {
    expect(folded(aRunView(), [node('proven', 3)]).nodes[0]).toMatchObject({ tookSeconds: null });
  });
});

test('what is fine at the first look is no news; what recovers is', () => {
  const condition = (id: number, status: 'True' | 'False'): RunStreamEvent => ({
    event: 'condition',
    id,
    at: at(id),
    run,
    data: { object: 'TigeraStatus/calico', type: 'Degraded', status, message: null },
  });
  expect(folded(aRunView(), [condition(101, 'False')]).log).toEqual([]);
  const log = folded(aRunView(), [condition(101, 'True'), condition(102, 'False')]).log;
  expect(log.map(({ state }) => state)).toEqual(['warn', 'ok']);
});

test('the log keeps its last 500 lines', () => {
  const events = Array.from(
    { length: 700 },
    (_, index): RunStreamEvent => ({
      event: 'log',
      id: 101 + index,
      at: at(index),
      run,
      data: { message: `line ${index}` },
    }),
  );
  const { log } = folded(aRunView(), events);
  expect([log.length, log[0]?.text, log.at(-1)?.text]).toEqual([500, 'line 200', 'line 699']);
});

test('an event about one of 5,000 nodes costs a small part of what it costs to send them all', () => {
  const first = folded(
    aRunView(),
    Array.from({ length: 5_000 }, (_, index) => proven(index, index)),
  );
  const events = Array.from({ length: 500 }, (_, index) => proven(index * 7, 5_000 + index));
  const perEvent = best(() => folded(first, events)) / events.length;
  const perSnapshot = best(() => overTheWire(first));
  expect(perEvent).toBeLessThan(perSnapshot / 20);
  function proven(node: number, index: number): RunStreamEvent {
    const data = { name: `w-${node}`, state: 'waiting', dataplane: null, detail: `${index}`, evidence: [] } as const;
    return { event: 'node', id: 101 + index, at: at(index), run, data: { ...data, evidence: [] } };
  }
});

/** The best of five, in ms, so that other work of the machine does not count. */
function best(work: () => unknown): number {
  return Math.min(
    ...Array.from({ length: 5 }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    }),
  );
}

test('what was said at the end of a step is not said any more once it is undone', () => {
  const view = aRunView({
    operations: [aLine({ state: 'finished', note: '6 of 6 nodes are proven on eBPF', outcome: 'met' })],
  });
  const begun = { ...aNow(), direction: 'undo' as const, state: 'begun' as const };
  const after = foldRun(view, { event: 'operation', id: 101, at: view.startedAt, run: view.run, data: begun });
  expect(after.operations[0]).toMatchObject({ state: 'undoing', note: null, outcome: null });
});
