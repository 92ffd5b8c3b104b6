import { expect, test } from 'vitest';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

test('it is unknown until it was measured, and can be acknowledged', () => {
  const id = 'network.vxlan-between-nodes';
  expect(find(id)).toMatchObject({ status: 'unknown', severity: 'blocking', acknowledged: null });
  expect(find(id, {}, { acknowledge: { [id]: 'UDP 4789 is open, see ticket 4711' } })).toMatchObject({
    status: 'unknown',
    acknowledged: 'UDP 4789 is open, see ticket 4711',
  });
});

test('it names the port that FelixConfiguration sets', () => {
  const objects = felix({ vxlanPort: 8472 });
  expect(find('network.vxlan-between-nodes', { resources: { objects } }).because).toContain('UDP port 8472');
});
