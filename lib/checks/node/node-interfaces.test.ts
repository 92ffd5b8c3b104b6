import { expect, test } from 'vitest';
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
  ['(e+)+th', 'unknown', false],
])('%o: %s', (pattern, status, waits) => {
  const finding = with_(pattern);
  expect([finding.status, finding.notMeasured !== null]).toEqual([status, waits]);
});

test('what is odd about it is said', () => {
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

test('what a manifest is told fits a manifest', () => {
  const steps = (method: 'operator' | 'manifest-kdd') =>
    find(id, {
      installation: { method },
      nodes: [aNode({ calicoAddresses: ['172.17.0.1/16'] })],
      resources: { objects: felix({}) },
    }).remedy.steps.join(' ');
  expect(steps('manifest-kdd')).toContain('IP_AUTODETECTION_METHOD');
  expect(steps('operator')).toContain('NodeInternalIP');
});
