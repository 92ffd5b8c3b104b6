import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, aNode, deployment, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const name: Partial<Choices> = { endpoint: { host: 'api.example.com', port: '6443' } };
const operator = (object: ReturnType<typeof deployment> | null): Overrides<Facts> => ({
  resources: { objects: { 'tigera-operator/Deployment/tigera-operator': object } },
});

test.each<[string, Overrides<Facts>, Partial<Choices>, string]>([
  ['an IP address', {}, {}, 'pass'],
  ['a name, the operator as released', {}, name, 'fail'],
  ['a name, nameservers given', operator(deployment(['169.254.169.253'])), name, 'pass'],
  ['a name, dnsPolicy Default', operator(deployment([], 'Default')), name, 'pass'],
  ['a name, the operator not installed yet', operator(null), { ...name, goal: 'install' }, 'fail'],
  ["MKE's proxy.local", {}, { endpoint: { host: 'proxy.local', port: '6444' } }, 'pass'],
  ['a name, a manifest install', { installation: { method: 'manifest-kdd' } }, name, 'skipped'],
])('%s', (_name, facts, choices, expected) => {
  expect(find('operator.dns-deadlock', facts, choices).status).toBe(expected);
});

test.each([
  [deployment([]), 'dnsPolicy ClusterFirstWithHostNet without dnsConfig.nameservers', undefined],
  [null, 'not installed yet; comes with dnsPolicy ClusterFirstWithHostNet without dnsConfig.nameservers', true],
])('the Deployment is not said to be there before it is', (object, detail, missing) => {
  const [subject] = find('operator.dns-deadlock', operator(object), { ...name, goal: 'install' }).subjects;
  expect(subject?.detail).toBe(detail);
  expect(subject?.missing).toBe(missing);
});

const aws = [aNode({ providerID: 'aws:///eu-1a/i-0abc' })];

test.each<[string, Overrides<Facts>, Partial<Choices>, string]>([
  ['install anywhere', {}, { goal: 'install' }, 'blocking'],
  ['enable on premises', {}, { goal: 'enable' }, 'warning'],
  [
    'upgrade on premises',
    { endpoint: { configMap: { namespace: 'tigera-operator', host: 'api.example.com', port: '6443' } } },
    { goal: 'upgrade' },
    'warning',
  ],
  ['enable on EKS', { platform: { kind: 'eks' } }, {}, 'blocking'],
  ['enable on kOps', { platform: { kind: 'kops' } }, {}, 'blocking'],
  ['enable with kubeadm on AWS', { nodes: aws }, {}, 'blocking'],
  ['enable on AKS', { platform: { kind: 'aks' } }, {}, 'warning'],
  ['install on OpenShift', { platform: { kind: 'openshift' } }, { goal: 'install' }, 'warning'],
  ['enable on OpenShift on AWS', { platform: { kind: 'openshift' }, nodes: aws }, {}, 'warning'],
])('%s', (_name, facts, choices, severity) => {
  expect(find('operator.dns-deadlock', facts, { ...name, ...choices })).toMatchObject({ status: 'fail', severity });
});

test.each([
  ['eks', '\'{"spec":{"template":{"spec":{"dnsConfig":{"nameservers":["169.254.169.253"]}}}}}\''],
  ['aks', '\'{"spec":{"template":{"spec":{"dnsConfig":{"nameservers":["168.63.129.16"]}}}}}\''],
  ['kubeadm', '\'{"spec":{"template":{"spec":{"dnsPolicy":"Default"}}}}\''],
] as const)('the command for %s', (kind, body) => {
  const finding = find('operator.dns-deadlock', { platform: { kind } }, name);
  expect(finding.remedy.command).toBe(
    `kubectl -n tigera-operator patch deployment tigera-operator --type merge -p ${body}`,
  );
  expect(finding.remedy.autofix).toBe('operator.dns');
});

test('an operator that could not be read is unknown', () => {
  const facts = uncover(aFacts(operator(null)), 'operator');
  expect(find('operator.dns-deadlock', { ...facts, resources: { ...facts.resources, objects: {} } }, name).status).toBe(
    'unknown',
  );
});

test("beside hybrid nodes, where AWS's resolver is not, the node's own is used", () => {
  const nodes = [aNode(), aNode({ name: 'factory-1', computeType: 'hybrid' })];
  const { command } = find('operator.dns-deadlock', { platform: { kind: 'eks' }, nodes }, name).remedy;
  expect(command).toContain('"dnsPolicy":"Default"');
  expect(command).not.toContain('169.254');
});
