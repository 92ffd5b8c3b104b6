import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClusterEvent, ClusterView, NodeLine } from '../wire.ts';
import { foldCluster } from './fold-cluster.ts';
import { aClusterView, aNodeLine } from './testing/views.ts';

const name = fc.constantFrom<string[]>('w-1', 'w-2', 'w-10', 'w-11', 'control-1');
const line = fc.record({
  name,
  plane: fc.constantFrom('standard', 'bpf', 'moving', 'fell-back', 'unknown', 'not-counted'),
  ready: fc.boolean(),
  because: fc.string({ maxLength: 5 }),
});
const { components: _, ...status } = aClusterView([]).status;
const events: fc.Arbitrary<ClusterEvent[]> = fc.array(
  fc.oneof(
    fc.record({
      event: fc.constant('node' as const),
      data: fc.record({
        changed: fc.uniqueArray(line, { maxLength: 5, selector: ({ name }) => name }),
        gone: fc.constant<string[]>([]),
      }),
    }),
    fc.record({
      event: fc.constant('node' as const),
      data: fc.record({ changed: fc.constant<NodeLine[]>([]), gone: fc.uniqueArray(name, { maxLength: 2 }) }),
    }),
    fc.record({
      event: fc.constant('condition' as const),
      data: fc.record({
        status: fc.constant({ ...status, observedAt: '2026-01-01T00:01:00.000Z' }),
        components: fc.constant<ClusterView['status']['components']>([]),
      }),
    }),
    fc.record({ event: fc.constant('operation' as const), data: fc.constant({ run: null }) }),
    fc.record({
      event: fc.constant('problem' as const),
      data: fc.constant({ code: 'x', message: 'away', since: '2026-01-01T00:00:00.000Z', retryable: true }),
    }),
  ),
  { maxLength: 30 },
);
const start = () => aClusterView([aNodeLine('control-1'), aNodeLine('w-1'), aNodeLine('w-2')]);
const folded = (view: ClusterView, all: readonly ClusterEvent[], from = 0) =>
  all.reduce((before, event, index) => foldCluster(before, event, 101 + from + index), view);

test('whoever loads the page in the middle sees what somebody sees who followed from the start', () => {
  fc.assert(
    fc.property(events, fc.nat(30), (all, cut) => {
      const first = JSON.parse(JSON.stringify(folded(start(), all.slice(0, cut)))) as ClusterView;
      const loaded = foldCluster(start(), { event: 'snapshot', data: first }, first.revision);
      expect(folded(loaded, all.slice(cut), Math.min(cut, all.length))).toEqual(folded(start(), all));
    }),
  );
});

test('nodes stay in the order in which people count them, each once', () => {
  fc.assert(
    fc.property(events, (all) => {
      const names = folded(start(), all).nodes.map(({ name: one }) => one);
      expect(names).toEqual(['control-1', 'w-1', 'w-2', 'w-10', 'w-11'].filter((one) => names.includes(one)));
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});

test('events that were seen already change nothing', () => {
  fc.assert(
    fc.property(events, (all) => {
      const after = folded(start(), all);
      expect(folded(after, all)).toEqual(after);
    }),
  );
});

test('a stream that has no view yet says at least that the cluster is away', () => {
  const data = { code: 'cluster.unreachable', message: 'away', since: '2026-01-01T00:00:00.000Z', retryable: true };
  const view = foldCluster(start(), { event: 'problem', data }, null);
  expect(view.stale).toEqual({ since: data.since, message: 'away' });
  expect(view.revision).toBe(start().revision);
});

test('an event about one of 5,000 nodes costs a small part of what it costs to send them all', () => {
  const many = aClusterView(Array.from({ length: 5_000 }, (_, index) => aNodeLine(`w-${index}`)));
  const changes = Array.from(
    { length: 500 },
    (_, index): ClusterEvent => ({
      event: 'node',
      data: { changed: [aNodeLine(`w-${index * 7}`, 'bpf')], gone: [] },
    }),
  );
  const time = (work: () => unknown) => {
    const began = performance.now();
    work();
    return performance.now() - began;
  };
  const best = (work: () => unknown) => Math.min(...Array.from({ length: 5 }, () => time(work)));
  const perEvent = best(() => folded(many, changes)) / changes.length;
  expect(perEvent).toBeLessThan(best(() => JSON.parse(JSON.stringify(many))) / 20);
});

test('nodes and status that changed together are told together', () => {
  const view = start();
  const changed = { ...aNodeLine('w-1'), plane: 'bpf' as const };
  const proxy = { desired: 0, ready: 0 };
  const data = { status: { ...status, proxy }, components: [], nodes: { changed: [changed], gone: ['w-2'] } };
  const after = foldCluster(view, { event: 'condition', data }, 101);
  expect(after.status.proxy).toEqual(proxy);
  expect(after.nodes.map(({ name: one, plane }) => [one, plane])).toEqual([
    ['control-1', view.nodes[0]?.plane],
    ['w-1', 'bpf'],
  ]);
});
