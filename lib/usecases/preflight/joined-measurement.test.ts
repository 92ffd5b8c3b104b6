import { expect, test } from 'vitest';
import type { NodeMeasurement } from '#lib/kube/index.ts';
import { nodeTestIds } from '#lib/spec/index.ts';
import { joinedMeasurement } from './joined-measurement.ts';
import type { KeptMeasurement } from './kept-schema.ts';

const passed = Object.fromEntries(nodeTestIds.map((id) => [id, { kind: 'passed' }])) as NodeMeasurement['tests'];
const failed = { kind: 'failed', because: 'nothing arrives there from any node' } as const;

/** A measurement of these nodes, made at this minute. */
function measured(
  minute: number,
  nodes: readonly string[],
  tests: Partial<NodeMeasurement['tests']> = {},
): KeptMeasurement {
  return {
    at: minute * 60_000,
    script: 'the script',
    endpoint: { host: 'api.example.com', port: '6443' },
    plan: { release: 'v3.31.4', images: [], flexVolumeFolder: null, objects: [`of ${minute}`], ended: 'removed' },
    settings: { vxlanPort: 4789, cgroupFolder: '/run/calico/cgroup', interfacePattern: null },
    addresses: Object.fromEntries(nodes.map((node) => [node, `address of ${node}`])),
    boots: Object.fromEntries(nodes.map((node) => [node, `boot ${minute}`])),
    nodes: nodes.map((node) => ({ node, ms: minute, tests: { ...passed, ...tests } })),
  };
}

/** Joins each measurement to those before it. */
const joined = (...all: readonly KeptMeasurement[]) =>
  all.reduce((before, now) => joinedMeasurement(before, now, now.at - 15 * 60_000));

/** `node at MINUTE: mounts, vxlan`. */
const linesOf = ({ at, nodes, times }: KeptMeasurement) =>
  nodes.map(
    ({ node, tests }) => `${node} at ${(times?.[node] ?? at) / 60_000}: ${tests.mounts.kind}, ${tests.vxlan.kind}`,
  );

test('parts of a cluster are joined, each with its time, and nobody tested the ways between them', () => {
  const both = joined(measured(1, ['a', 'b']), measured(3, ['c']));
  expect(linesOf(both)).toEqual(['a at 1: passed, not-run', 'b at 1: passed, not-run', 'c at 3: passed, not-run']);
  expect(both.boots).toEqual({ a: 'boot 1', b: 'boot 1', c: 'boot 3' });
  expect(Object.keys(both.addresses)).toEqual(['a', 'b', 'c']);
  expect(both.plan.objects).toEqual(['of 1', 'of 3']);
});

test('a test that fails in one part fails', () => {
  expect(linesOf(joined(measured(1, ['a', 'b'], { vxlan: failed }), measured(3, ['c'], { vxlan: failed })))).toEqual([
    'a at 1: passed, failed',
    'b at 1: passed, failed',
    'c at 3: passed, failed',
  ]);
});

test('one that is tested again after all were keeps what passed between nodes then, for as long as that holds', () => {
  const mounts = { kind: 'failed', because: 'the kernel has no bpffs' } as const;
  const all = measured(1, ['a', 'b', 'c'], { mounts });
  expect(linesOf(joined(all, measured(3, ['b'])))).toEqual([
    'a at 1: failed, passed',
    'c at 1: failed, passed',
    'b at 1: passed, passed',
  ]);
});

test('a failure between nodes is not outweighed by a node without a partner', () => {
  // Packets of full size passed at minute 1, and that result keeps its time.
  expect(linesOf(joined(measured(1, ['a', 'b', 'c'], { vxlan: failed }), measured(3, ['b'])))[2]).toBe(
    'b at 1: passed, not-run',
  );
});

test('a test of all, of another question or script, or long after, takes the place of what was kept', () => {
  const now = measured(20, ['a', 'b']);
  expect(joined(measured(19, ['a', 'b']), now)).toBe(now);
  expect(joined(measured(4, ['c']), now)).toBe(now);
  expect(joined({ ...measured(19, ['c']), endpoint: null }, now)).toBe(now);
  expect(joined({ ...measured(19, ['c']), script: 'another' }, now)).toBe(now);
  expect(joined({ ...measured(19, ['c']), settings: { ...now.settings, vxlanPort: 8472 } }, now)).toBe(now);
  expect(joined(measured(21, ['c']), now)).toBe(now);
});

test('of several parts each is let go at its own time', () => {
  const both = joined(measured(1, ['a']), measured(10, ['b']), measured(17, ['c']));
  expect(linesOf(both)).toEqual(['b at 10: passed, not-run', 'c at 17: passed, not-run']);
});
