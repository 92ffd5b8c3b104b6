import { expect, test } from 'vitest';
import type { ProbeLine } from '../line.ts';
import { allArrived, completeOutput, hasReported, isComplete, type PodOutput } from './pod-output.ts';

const v = 1 as const;
const measured: ProbeLine = { v, probe: 'measured' };
const mounts: ProbeLine = {
  v,
  probe: 'mounts',
  bpffs: { known: true, mounted: true },
  cgroup: { known: true, mounted: true, writable: true, path: '/sys/fs/cgroup' },
};
const sending = (tunnels: number): ProbeLine => ({ v, probe: 'vxlan-sending', tunnels });
const not: ProbeLine = { v, probe: 'vxlan-not', because: 'it has no address' };
const arrived = (peer: string, arrives: 'small' | 'full' = 'full'): ProbeLine => ({ v, probe: 'vxlan', peer, arrives });
const answer = (peer: string): ProbeLine => ({ v, probe: 'vxlan-answer', peer, sums: 'offloaded' });
const silent = { because: 'its test pod does not start: ErrImagePull' };

test.each<[string, PodOutput | undefined, boolean]>([
  ['nothing yet', undefined, false],
  ['a pod that never starts', silent, true],
  ['an empty log', [], false],
  ['a pod on the pod network', [measured], true],
  ['a node before its tunnels', [mounts, measured], false],
  ['a node that sends', [mounts, measured, sending(1)], true],
  ['a node that cannot send', [mounts, measured, not], true],
  ['tunnels before the end of the tests', [mounts, sending(1)], false],
])('reported completely: %s', (_what, output, expected) => {
  expect(hasReported(output)).toBe(expected);
});

test.each<[string, PodOutput | undefined, PodOutput | undefined]>([
  ['nothing', undefined, undefined],
  ['a reason', silent, silent],
  ['half a log', [mounts], undefined],
  ['a whole one', [mounts, measured], [mounts, measured]],
])('used of a pod: %s', (_what, output, expected) => {
  expect(completeOutput(output)).toEqual(expected);
});

test.each<[string, 'host' | 'pod', PodOutput | undefined, boolean]>([
  ['a pod that told all', 'pod', [measured], true],
  ['a node whose packets are on their way', 'host', [mounts, measured, sending(2), arrived('a'), answer('a')], false],
  ['a node with all of them', 'host', [mounts, measured, sending(1), arrived('a'), answer('a')], true],
  [
    'a node with small packets alone',
    'host',
    [mounts, measured, sending(1), arrived('a', 'small'), answer('a')],
    false,
  ],
  ['a node without an answer', 'host', [mounts, measured, sending(1), arrived('a')], false],
  ['a reason may become a log', 'host', silent, false],
])('read no more: %s', (_what, way, output, expected) => {
  expect(isComplete(way, output)).toBe(expected);
});

const question = {
  nodes: [
    { name: '1', address: '10.0.0.1' },
    { name: '2', address: '10.0.0.2' },
  ],
};
const complete = (peer: string) => [mounts, measured, sending(1), arrived(peer), answer(peer)];
const sends = (peer: string, as: string): ProbeLine => ({ v, probe: 'dsr-sending', peer, as });
const foreign = (peer: string): ProbeLine => ({ v, probe: 'dsr', peer });

test.each<[string, [PodOutput, PodOutput], { plain: boolean; dsr: boolean }]>([
  [
    'one node has a packet on its way',
    [[mounts, measured, sending(2), arrived('2'), answer('2')], complete('1')],
    { plain: false, dsr: false },
  ],
  ['a node that sends nothing waits for nothing', [silent, [mounts, measured, not]], { plain: true, dsr: true }],
  [
    'both, and nobody has said that it sends others’ addresses',
    [complete('2'), complete('1')],
    { plain: true, dsr: false },
  ],
  [
    'both, and what is sent with the other’s address is on its way',
    [
      [...complete('2'), sends('10.0.0.2', '10.0.0.1')],
      [...complete('1'), sends('10.0.0.1', '10.0.0.2')],
    ],
    { plain: true, dsr: false },
  ],
  [
    'both, and it has arrived',
    [
      [...complete('2'), sends('10.0.0.2', '10.0.0.1'), foreign('10.0.0.2')],
      [...complete('1'), sends('10.0.0.1', '10.0.0.2'), foreign('10.0.0.1')],
    ],
    { plain: true, dsr: true },
  ],
  [
    'nodes that cannot send with another address',
    [
      [...complete('2'), { v, probe: 'dsr-not', because: 'no tool' }],
      [...complete('1'), { v, probe: 'dsr-not', because: 'no tool' }],
    ],
    { plain: true, dsr: true },
  ],
])('arrived everywhere: %s', (_what, [one, two], expected) => {
  const host = new Map([
    ['1', one],
    ['2', two],
  ]);
  expect({ plain: allArrived(question, host, false), dsr: allArrived(question, host, true) }).toEqual(expected);
});
