import { expect, test } from 'vitest';
import { aNode } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const nodes = ['one', 'other'].map((name) => aNode({ name }));

test('where there is one node, nothing crosses nodes and nothing has to be measured', () => {
  expect(find('network.vxlan-between-nodes', { nodes: nodes.slice(0, 1) })).toMatchObject({
    status: 'pass',
    because: 'There is one node, so nothing crosses nodes.',
  });
});

test('it is unknown until it was measured, and can be acknowledged', () => {
  const id = 'network.vxlan-between-nodes';
  expect(find(id, { nodes })).toMatchObject({ status: 'unknown', severity: 'blocking', acknowledged: null });
  expect(find(id, { nodes }, { acknowledge: { [id]: 'UDP 4789 is open, see ticket 4711' } })).toMatchObject({
    status: 'unknown',
    acknowledged: 'UDP 4789 is open, see ticket 4711',
  });
});

test('it names the port that FelixConfiguration sets', () => {
  const objects = felix({ vxlanPort: 8472 });
  expect(find('network.vxlan-between-nodes', { nodes, resources: { objects } }).because).toContain('UDP port 8472');
});
