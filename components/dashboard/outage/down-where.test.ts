import { expect, test } from 'vitest';
import type { ClusterView } from '#lib/console/wire.ts';
import { downWhere } from './down-where.ts';

const viewOf = (desired: number, ...planes: readonly string[]) =>
  ({
    status: { proxy: { desired, ready: desired } },
    nodes: planes.map((plane) => ({ plane })),
  }) as unknown as ClusterView;

test.each([
  ['everywhere', viewOf(0, 'standard', 'fell-back', 'not-counted')],
  ['on some nodes', viewOf(0, 'standard', 'bpf')],
  ['on some nodes', viewOf(2, 'bpf', 'bpf')],
  ['on some nodes', viewOf(2, 'not-counted')],
  ['on some nodes', viewOf(2)],
] as const)('Services are down %s, and never everywhere without a node that lacks them', (where, view) => {
  expect(downWhere(view)).toBe(where);
});
