import { expect, test } from 'vitest';
import { type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'node.interfaces';
const with_ = (bpfDataIfacePattern: unknown) => find(id, { resources: { objects: felix({ bpfDataIfacePattern }) } });

test.each([
  [undefined, 'unknown', true],
  ['^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan|bond).*)', 'unknown', true],
  ['^ens192$', 'unknown', true],
  ['.*', 'fail', false],
  ['^(eth|cali).*', 'fail', false],
  ['^tunl', 'fail', false],
  ['^Ethernet', 'fail', false],
  ['^(eth', 'fail', false],
  [42, 'fail', false],
  ['(e+)+th', 'unknown', true],
])('%o: %s', (pattern, status, waits) => {
  const finding = with_(pattern);
  expect([finding.status, finding.notMeasured !== null]).toEqual([status, waits]);
});

test('a pattern that matches interfaces of Calico is a warning that names them', () => {
  expect(with_('.*')).toMatchObject({
    severity: 'warning',
    because: expect.stringContaining('it matches cali0123456789a, tunl0, vxlan.calico and 4 more'),
    subjects: [{ kind: 'FelixConfiguration', name: 'default' }],
  });
});

test('a setting that was not read is another question', () => {
  expect(find(id, uncover(aFacts(), 'felix'))).toMatchObject({ status: 'unknown', notMeasured: null });
});

const withAddresses = (...nodes: { name: string; addresses?: string[]; calicoAddresses?: string[] }[]) =>
  find(id, { nodes: nodes.map((node) => aNode(node)), resources: { objects: felix({}) } });

test.each<[string, Parameters<typeof withAddresses>, string, string | null]>([
  ['the address that the node lists', [{ name: 'a', calicoAddresses: ['10.0.0.11/24'] }], 'unknown', null],
  ['another form of it', [{ name: 'a', addresses: ['fd00::1'], calicoAddresses: ['fd00:0:0::1/64'] }], 'unknown', null],
  ['none yet', [{ name: 'a' }], 'unknown', null],
  [
    'IPv6 where the node lists IPv4 alone',
    [{ name: 'a', calicoAddresses: ['10.0.0.11/24', 'fd00::1/64'] }],
    'unknown',
    null,
  ],
  ['a node that lists none', [{ name: 'a', addresses: [], calicoAddresses: ['10.0.0.11/24'] }], 'unknown', null],
  [
    'that of a bridge, on two nodes',
    [
      { name: 'a', calicoAddresses: ['172.17.0.1/16'] },
      { name: 'b', addresses: ['10.0.0.12'], calicoAddresses: ['172.17.0.1/16'] },
      { name: 'c', addresses: ['10.0.0.13'], calicoAddresses: ['10.0.0.13/24'] },
    ],
    'fail',
    'Calico uses 172.17.0.1, as other nodes do; the node has 10.0.0.11',
  ],
  [
    'that of another network',
    [{ name: 'a', calicoAddresses: ['10.9.0.11/24'] }],
    'fail',
    'Calico uses 10.9.0.11; the node has 10.0.0.11',
  ],
])('Calico took %s', (_name, nodes, status, detail) => {
  const finding = withAddresses(...nodes);
  expect([finding.status, finding.subjects[0]?.detail ?? null]).toEqual([status, detail]);
});

test.each([
  ['manifest-kdd', '172.17.0.1/16', 'kubectl set env -n kube-system daemonset canal IP_AUTODETECTION_METHOD='],
  ['manifest-kdd', 'fd01::1/64', 'daemonset canal IP6_AUTODETECTION_METHOD='],
  ['operator', '172.17.0.1/16', 'nodeAddressAutodetectionV4'],
  ['operator', 'fd01::1/64', 'nodeAddressAutodetectionV6'],
] as const)('with %s and %s the remedy says %s', (method, address, words) => {
  const { remedy, evidence } = find(id, {
    installation: { method, agent: 'kube-system/DaemonSet/canal' },
    nodes: [aNode({ addresses: ['10.0.0.11', 'fd00::11'], calicoAddresses: [address] })],
    resources: { objects: felix({}) },
  });
  expect(remedy.steps.join(' ')).toContain(words);
  expect(evidence[0]?.path).toContain(address.includes(':') ? 'IPv6Address' : 'IPv4Address');
});

test('an interface that eBPF does not see is told before an address of another network', () => {
  const nodes = [aNode({ name: 'a', calicoAddresses: ['10.9.0.11/24'] })];
  const facts = { nodes, resources: { objects: felix({}) } };
  expect(find(id, facts).because).toContain('does not list');
  const passed = Object.fromEntries(nodeTestIds.map((id) => [id, { kind: 'passed' as const }])) as Record<
    NodeTest,
    { kind: 'passed' }
  >;
  const tests = { ...passed, interfaces: { kind: 'failed' as const, because: 'br0 is not matched' } };
  const measured = { endpoint: null, nodes: [{ node: 'a', ms: 1, linkMtu: null, tests }] };
  expect(find(id, { ...facts, measured }).because).toContain('br0 is not matched');
});
