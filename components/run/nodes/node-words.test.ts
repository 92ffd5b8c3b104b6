import { expect, test } from 'vitest';
import type { RunNode } from '#lib/console/wire.ts';
import { arrivedOf, nodeMark } from './node-words.ts';

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

test('nodes that do not count are not counted, and no node is no number', () => {
  const nodes = [aNode({}), aNode({ state: 'waiting' }), aNode({ state: 'not-counted' })];
  expect(arrivedOf(nodes, 'forward')).toEqual({ arrived: 1, counted: 2 });
  expect(arrivedOf(nodes, 'undo')).toEqual({ arrived: 0, counted: 2 });
  expect(arrivedOf([], 'forward')).toBeNull();
});
