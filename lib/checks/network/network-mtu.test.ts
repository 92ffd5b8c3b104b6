import { expect, test } from 'vitest';
import { type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { installation } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'network.mtu';
const statusFor = (mtu: unknown, providerID: string | null = null) =>
  find(id, {
    nodes: ['one', 'other'].map((name) => aNode({ name, providerID })),
    resources: { objects: installation({ calicoNetwork: { mtu } }) },
  });

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
  expect(statusFor(mtu, providerID).status).toBe(expected);
});

test('one node has no other to send to, so that nothing has to be measured; a value that is too large stays one', () => {
  const at = (mtu?: number) =>
    find(id, { nodes: [aNode()], resources: { objects: installation({ calicoNetwork: { mtu } }) } });
  const pass = { status: 'pass', because: 'There is one node, so nothing crosses nodes.' };
  expect([at(), at(1450)]).toMatchObject([pass, pass]);
  expect(at(1500).status).toBe('fail');
});

test('the sentence says how much is too much', () => {
  expect(statusFor(1500)).toMatchObject({
    severity: 'warning',
    because:
      'The Installation sets an MTU of 1500, which leaves no room for the 50 bytes of VXLAN on a network of 1500 (Ethernet): 1450 is the most there.',
  });
  expect(statusFor(1400)).toMatchObject({ notMeasured: expect.stringContaining('MTU') });
});

const aPool = (cidr: string) =>
  ({ name: cidr, cidr, encapsulation: 'VXLAN', natOutgoing: true, disabled: false }) as const;

test.each([
  ['nodes with IPv6 alone', ['one', 'other'].map((name) => aNode({ name, addresses: ['2001:db8::1'] })), []],
  ['pools of both families', ['one', 'other'].map((name) => aNode({ name })), ['192.168.0.0/16', 'fd00::/48']],
])('VXLAN over IPv6 takes more, and every sentence says so: %s', (_what, nodes, pools) => {
  const at = (mtu?: number) =>
    find(id, { nodes, pools: pools.map(aPool), resources: { objects: installation({ calicoNetwork: { mtu } }) } });
  expect(at(1450).because).toContain('for the 70 bytes of VXLAN on a network of 1500 (Ethernet): 1430 is the most');
  expect(at(1430).status).toBe('unknown');
  for (const finding of [at(), at(1450)]) expect(JSON.stringify(finding)).not.toMatch(/\b50 bytes|less 50\b/);
  expect(at().remedy.steps.join()).toContain('less 70');
});

test('a value of the plan counts; what was not read is another question', () => {
  expect(find(id, {}, { set: { 'calicoNetwork.mtu': 1500 } }).status).toBe('fail');
  expect(find(id, uncover(aFacts(), 'installation'))).toMatchObject({ status: 'unknown', notMeasured: null });
});

const passed = Object.fromEntries(nodeTestIds.map((id) => [id, { kind: 'passed' as const }])) as Record<
  NodeTest,
  { kind: 'passed' }
>;

/** Links of nine thousand are possible under any node: only the nodes tell. */
test.each<[string, unknown, number | null, string, string]>([
  ['fits', 8950, 9000, '192.168.0.0/16', 'pass'],
  ['an Ethernet with jumbo frames elsewhere', 8950, 1500, '192.168.0.0/16', 'fail'],
  ['a link of an odd size', 1450, 1490, '192.168.0.0/16', 'fail'],
  ['pods with IPv6', 1450, 1500, 'fd00::/48', 'fail'],
  ['pods with IPv6 that fit', 1430, 1500, 'fd00::/48', 'pass'],
  ['the link is not known', 1450, null, '192.168.0.0/16', 'unknown'],
  ['nothing is set', undefined, null, '192.168.0.0/16', 'pass'],
])('measured: %s', (_name, mtu, linkMtu, cidr, expected) => {
  const names = ['one', 'other'];
  const { status } = find(id, {
    nodes: names.map((name) => aNode({ name })),
    cluster: { podCIDRs: [cidr] },
    measured: { endpoint: null, nodes: names.map((node) => ({ node, ms: 1, linkMtu, tests: passed })) },
    resources: { objects: installation({ calicoNetwork: { mtu } }) },
  });
  expect(status).toBe(expected);
});
