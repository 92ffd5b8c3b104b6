import { expect, test } from 'vitest';
import type { RunNode } from '#lib/console/wire.ts';
import { arrivedOf, nodeMark, nodesByRelease } from './node-words.ts';

const aNode = (given: Partial<RunNode>): RunNode => ({
  name: 'w-1',
  state: 'proven',
  dataplane: 'bpf',
  detail: '',
  evidence: [],
  since: '',
  movingSince: null,
  tookSeconds: null,
  ...given,
});

test('on the way back a node that is proven on eBPF has not arrived', () => {
  expect(nodeMark(aNode({}), 'forward').word).toBe('eBPF proven');
  expect(nodeMark(aNode({}), 'undo').word).toBe('still on eBPF');
  expect(nodeMark(aNode({ dataplane: 'standard' }), 'undo').word).toBe('standard proven');
});

test('nodes that change release are counted by it, and those that move apart', () => {
  const on = (version: string, state: RunNode['state']) => aNode({ version, state, dataplane: null });
  const nodes = [
    on('v3.30.7', 'waiting'),
    on('v3.31.4', 'proven'),
    on('v3.31.4', 'proven'),
    aNode({ state: 'restarting' }),
  ];
  expect(nodesByRelease(nodes).map(({ word, state, count }) => `${count} ${word} ${state}`)).toEqual([
    '2 on v3.31.4 ok',
    '1 on v3.30.7 idle',
    '1 restarting now',
  ]);
  expect(nodesByRelease([aNode({})])).toEqual([]);
});

test('nodes that do not count are not counted, and no node is no number', () => {
  const nodes = [aNode({}), aNode({ state: 'waiting' }), aNode({ state: 'not-counted' })];
  expect(arrivedOf(nodes, 'forward')).toEqual({ arrived: 1, counted: 2 });
  expect(arrivedOf(nodes, 'undo')).toEqual({ arrived: 0, counted: 2 });
  expect(arrivedOf([], 'forward')).toBeNull();
});
