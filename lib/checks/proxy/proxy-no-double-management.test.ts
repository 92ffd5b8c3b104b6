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

test('an unread proxy is unknown', () => {
  expect(find('proxy.no-double-management', uncover(aFacts(), 'proxy')).status).toBe('unknown');
});

test('of a platform without eBPF nothing is said that nobody has read: TKG’s proxy is kubeadm’s, and could be turned off', () => {
  const { because } = find('proxy.no-double-management', { platform: { kind: 'tkg' } });
  expect(because).toMatch(/because no plan turns it off on Tanzu .*, where eBPF mode is not supported, and bpf/);
});
