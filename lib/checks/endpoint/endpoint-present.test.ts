import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find, runAll } from '../testing/find.ts';

const suggested = { host: 'api.prod.example', port: 6443, because: "it is kubeadm's controlPlaneEndpoint", doubts: [] };
const configMap = { namespace: 'tigera-operator', host: '10.0.0.100', port: '6443' };
const installation = { apiVersion: 'operator.tigera.io/v1', kind: 'Installation', metadata: { name: 'default' } };
const bootstrapped = {
  'Installation/default': { ...installation, spec: { calicoNetwork: { bpfNetworkBootstrap: 'Enabled' } } },
};

test.each<[string, Overrides<Facts>, Partial<Choices>, string]>([
  ['chosen', {}, {}, 'pass'],
  ['in the ConfigMap', { endpoint: { configMap } }, { endpoint: undefined }, 'pass'],
  ['accepted', { endpoint: { suggested } }, { endpoint: undefined, acceptProposals: true }, 'pass'],
  ['proposed only', { endpoint: { suggested } }, { endpoint: undefined }, 'fail'],
  ['nowhere', {}, { endpoint: undefined }, 'fail'],
  [
    'only in running workloads',
    {
      endpoint: {
        inUse: [
          { object: 'calico-system/DaemonSet/calico-node', container: 'calico-node', host: '10.0.0.100', port: '6443' },
        ],
      },
    },
    { endpoint: undefined },
    'fail',
  ],
  [
    'in a ConfigMap without a port',
    { endpoint: { configMap: { ...configMap, port: '' } } },
    { endpoint: undefined },
    'fail',
  ],
  ['not needed: bpfNetworkBootstrap', { resources: { objects: bootstrapped } }, { endpoint: undefined }, 'skipped'],
  ['not needed: automatic mode chosen', {}, { endpoint: undefined, automatic: true }, 'skipped'],
])('an endpoint %s', (_name, facts, choices, expected) => {
  expect(find('endpoint.present', facts, choices).status).toBe(expected);
});

test('a proposal is named, with the reason for it and its doubts, and blocks until it is accepted', () => {
  const facts = aFacts({ endpoint: { suggested: { ...suggested, doubts: ['it is one of three API servers'] } } });
  const finding = find('endpoint.present', facts, { endpoint: undefined });
  expect(finding.because).toBe(
    'No endpoint is chosen. "api.prod.example:6443" is proposed, because it is kubeadm\'s controlPlaneEndpoint. Doubtful: it is one of three API servers.',
  );
  expect(finding.remedy.command).toBe('signalbox check --goal enable --endpoint api.prod.example:6443');
  expect(finding.subjects).toHaveLength(1);
});

test('without ConfigMaps to read: unknown, unless one was chosen, or only proposed', () => {
  const facts = uncover(aFacts(), 'endpointConfigMaps');
  expect(find('endpoint.present', facts, { endpoint: undefined }).status).toBe('unknown');
  expect(find('endpoint.present', facts).status).toBe('pass');
  const proposed = uncover(aFacts({ endpoint: { suggested } }), 'endpointConfigMaps');
  expect(find('endpoint.present', proposed, { endpoint: undefined }).status).toBe('fail');
});

test('a proposed host cannot break out of the command that accepts it', () => {
  const facts = aFacts({ endpoint: { suggested: { ...suggested, host: "x'; rm -rf /\n#" } } });
  const { command } = find('endpoint.present', facts, { endpoint: undefined }).remedy;
  expect(command).toBe(`signalbox check --goal enable --endpoint "$(printf 'x\\047; rm -rf /\\012#:6443')"`);
});

test('while it is only proposed, every check of the address fails or is unknown', () => {
  const facts = aFacts({ endpoint: { suggested: { ...suggested, host: '127.0.0.1' } } });
  const { findings } = runAll(facts, { goal: 'enable', acknowledge: {}, fix: [], acceptProposals: false, set: {} });
  const statuses = Object.fromEntries(
    findings.filter(({ id }) => id.startsWith('endpoint.')).map(({ id, status }) => [id, status]),
  );
  expect(statuses).toMatchObject({
    'endpoint.present': 'fail',
    'endpoint.not-local': 'fail',
    'endpoint.not-cluster-ip': 'unknown',
    'endpoint.stable': 'unknown',
    'endpoint.form': 'unknown',
    'endpoint.certificate': 'unknown',
    'endpoint.reachable': 'unknown',
    'endpoint.in-use': 'unknown',
  });
});
