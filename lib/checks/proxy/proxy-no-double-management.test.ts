import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const flag = (value: boolean): Overrides<Facts> => ({
  resources: { objects: felix({ bpfKubeProxyIptablesCleanupEnabled: value }) },
});

test.each<[string, Overrides<Facts>, Partial<Choices>, string]>([
  ['the plan turns it off', {}, {}, 'pass'],
  ['kept by choice', {}, { keepProxy: true }, 'fail'],
  ['kept by choice, cleanup on', flag(true), { keepProxy: true }, 'fail'],
  ['kept by choice, cleanup off', flag(false), { keepProxy: true }, 'pass'],
  ['managed by others', { proxy: { managedBy: 'the add-on manager' } }, {}, 'fail'],
  ['the operator turns it off itself', { proxy: { managedBy: 'tigera-operator' } }, {}, 'pass'],
  ["AKS with the provider's network", { platform: { kind: 'aks' }, installation: { cni: 'AzureVNET' } }, {}, 'fail'],
  ['AKS whose network cannot be told', { platform: { kind: 'aks' }, installation: { cni: null } }, {}, 'unknown'],
  ["AKS with Calico's network", { platform: { kind: 'aks' } }, {}, 'pass'],
  ['RKE2: the administrator turns it off', { platform: { kind: 'rke2' }, proxy: { kind: 'embedded' } }, {}, 'pass'],
  ['RKE2, kept', { platform: { kind: 'rke2' }, proxy: { kind: 'embedded' } }, { keepProxy: true }, 'fail'],
  ['OpenShift', { platform: { kind: 'openshift' }, proxy: { kind: 'openshift' } }, {}, 'pass'],
  [
    'static pods, which the administrator removes',
    { platform: { kind: 'generic' }, proxy: { kind: 'static-pods', managedBy: 'the kubelet' } },
    {},
    'pass',
  ],
  [
    'static pods on GKE, which puts them back',
    { platform: { kind: 'gke' }, proxy: { kind: 'static-pods' } },
    {},
    'fail',
  ],
  ['already off, and kept', { proxy: { running: false } }, { keepProxy: true }, 'pass'],
  ['none', { proxy: { kind: 'none', running: false } }, { keepProxy: true }, 'pass'],
  ['of an unknown kind', { proxy: { kind: 'unknown' } }, {}, 'unknown'],
])('%s', (_name, facts, choices, expected) => {
  expect(find('proxy.no-double-management', facts, choices).status).toBe(expected);
});

const object = 'kube-system/DaemonSet/kube-proxy';
test.each([
  ['hidden', {}, 'fail'],
  ['hidden', { 'managed-by.reconciler': 'paused on the hub' }, 'pass'],
  ['acts', { 'managed-by.reconciler': 'paused on the hub' }, 'fail'],
] as const)('a manager of another cluster, %s, accepted as %j', (state, acknowledge, expected) => {
  const evidence = { object, path: "metadata.annotations['argocd.argoproj.io/tracking-id']", value: 'platform' };
  const ownership = [{ object, by: 'argocd' as const, state, source: null, writes: [], evidence }];
  const facts = { proxy: { managedBy: 'argocd' }, resources: { ownership } };
  expect(find('proxy.no-double-management', facts, { acknowledge }).status).toBe(expected);
});

test('its fix is the cleanup flag', () => {
  const finding = find('proxy.no-double-management', {}, { keepProxy: true, fix: ['proxy.no-double-management'] });
  expect(finding.fixedBy).toBe('felix.cleanup-flag');
  expect(finding.because).toBe(
    'After the plan the service proxy still runs, because you chose to keep it, and bpfKubeProxyIptablesCleanupEnabled is not set, which means true.',
  );
});

const field = 'bpfKubeProxyIptablesCleanupEnabled';
const ofNode = (name: string) => ({ kind: 'FelixConfiguration', namespace: null, name, detail: `sets ${field}: true` });
const cleaningUp = [ofNode('node.worker-1'), ofNode('node.worker-2')];

test.each<[string, Overrides<Facts>, Partial<Choices>, string, number]>([
  ['the plan turns the proxy off, beside which they would clean up until then', {}, {}, 'fail', 2],
  ['the proxy is kept, and the default is false', flag(false), { keepProxy: true }, 'fail', 2],
  ['the proxy is kept, and the default is not false either', {}, { keepProxy: true }, 'fail', 4],
  ['the proxy is off already', { proxy: { running: false } }, {}, 'pass', 0],
  ['there is no proxy', { proxy: { kind: 'none', running: false } }, {}, 'pass', 0],
  ['of an unknown kind', { proxy: { kind: 'unknown' } }, {}, 'unknown', 0],
])('nodes with a cleanup of their own, which beats the default: %s', (_name, facts, choices, status, subjects) => {
  const installation = { ...facts.installation, cleaningUp };
  const finding = find('proxy.no-double-management', { ...facts, installation }, choices);
  expect(finding.status).toBe(status);
  expect(finding.subjects).toHaveLength(subjects);
});

test('a cleanup of a node is taken away by hand: the fix of the plan is in the default, which it beats', () => {
  const choices = { keepProxy: true, fix: ['proxy.no-double-management'] };
  const { remedy, fixedBy, because } = find('proxy.no-double-management', { installation: { cleaningUp } }, choices);
  expect([remedy.autofix, fixedBy]).toEqual([undefined, null]);
  expect(remedy.command?.split('\n')).toEqual(
    ['node.worker-1', 'node.worker-2'].map(
      (name) =>
        `kubectl patch felixconfigurations.crd.projectcalico.org ${name} --type merge -p '{"spec":{"${field}":null}}'`,
    ),
  );
  expect(because).toContain('node.worker-1');
});

test.each([
  ['the default is false', flag(false), { keepProxy: true }],
  ['the plan turns the proxy off', {}, {}],
])('where not all FelixConfigurations were read, a node may have a cleanup of its own: %s', (_name, facts, choices) => {
  const unread = uncover(aFacts(facts), 'felix');
  expect(find('proxy.no-double-management', unread, choices).status).toBe('unknown');
});

test('an unread proxy is unknown', () => {
  expect(find('proxy.no-double-management', uncover(aFacts(), 'proxy')).status).toBe('unknown');
});

test('of a platform without eBPF nothing is said that nobody has read: TKG’s proxy is kubeadm’s, and could be turned off', () => {
  const { because } = find('proxy.no-double-management', { platform: { kind: 'tkg' } });
  expect(because).toMatch(/because no plan turns it off on Tanzu .*, where eBPF mode is not supported, and bpf/);
});
