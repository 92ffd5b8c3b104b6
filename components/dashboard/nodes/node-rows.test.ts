import { expect, test } from 'vitest';
import type { NodeLine } from '#lib/console/wire.ts';
import { type NodeFilter, type NodeOrder, nodeRows } from './node-rows.ts';

const node = (name: string, plane: NodeLine['plane'], ready = true): NodeLine => ({ name, plane, ready, because: '' });
const nodes = [node('w-1', 'bpf'), node('w-2', 'fell-back'), node('w-10', 'standard', false), node('x-1', 'bpf')];
const everything: NodeFilter = { name: '', plane: 'all' };
const byName: NodeOrder = { by: 'name', direction: 'ascending' };

test.each<[string, NodeOrder, NodeFilter, string[]]>([
  ['as they come', byName, everything, ['w-1', 'w-2', 'w-10', 'x-1']],
  ['from the end', { by: 'name', direction: 'descending' }, everything, ['x-1', 'w-10', 'w-2', 'w-1']],
  ['what wants a look first', { by: 'state', direction: 'ascending' }, everything, ['w-2', 'w-10', 'w-1', 'x-1']],
  ['by a part of the name, in any case', byName, { name: ' W-1', plane: 'all' }, ['w-1', 'w-10']],
  ['by state', byName, { name: '', plane: 'bpf' }, ['w-1', 'x-1']],
  ['that are not ready', byName, { name: '', plane: 'not-ready' }, ['w-10']],
])('nodes %s', (_, order, filter, names) => {
  expect(nodeRows(nodes, order, filter).map(({ name }) => name)).toEqual(names);
});

test('the list that came is left as it is', () => {
  const before = nodes.map(({ name }) => name);
  nodeRows(nodes, { by: 'name', direction: 'descending' }, everything);
  expect(nodes.map(({ name }) => name)).toEqual(before);
});
