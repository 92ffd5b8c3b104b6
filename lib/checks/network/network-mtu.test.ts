import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { installation } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'network.mtu';
const judged = (mtu: unknown, providerID: string | null = null) =>
  find(id, { nodes: [aNode({ providerID })], resources: { objects: installation({ calicoNetwork: { mtu } }) } });

test.each([
  [undefined, null, 'unknown'],
  [0, null, 'unknown'],
  [1500, null, 'fail'],
  [1480, null, 'fail'],
  [1451, null, 'fail'],
  [1450, null, 'unknown'],
  [1440, null, 'unknown'],
  [8981, null, 'fail'],
  [8950, null, 'unknown'],
  [9001, 'aws:///eu-central-1a/i-1', 'fail'],
  [8951, 'aws:///eu-central-1a/i-1', 'unknown'],
  [1500, 'aws:///eu-central-1a/i-1', 'fail'],
  [1440, 'gce://p/z/n', 'fail'],
  [1410, 'gce://p/z/n', 'unknown'],
  ['1500', null, 'unknown'],
])('%o under %s: %s', (mtu, providerID, expected) => {
  expect(judged(mtu, providerID).status).toBe(expected);
});

test('the sentence says how much is too much', () => {
  expect(judged(1500)).toMatchObject({
    severity: 'warning',
    because:
      'The Installation sets an MTU of 1500, which leaves no room for the 50 bytes of VXLAN on a network of 1500 (Ethernet): 1450 is the most there.',
  });
  expect(judged(1400)).toMatchObject({ notMeasured: expect.stringContaining('MTU') });
});

test('a value of the plan counts; what was not read is another question', () => {
  expect(find(id, {}, { set: { 'calicoNetwork.mtu': 1500 } }).status).toBe('fail');
  expect(find(id, uncover(aFacts(), 'installation'))).toMatchObject({ status: 'unknown', notMeasured: null });
});
