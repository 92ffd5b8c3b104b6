import { expect, test } from 'vitest';
import type { Facts, ReadObject } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'proxy.comes-back';
const kubeadmId = 'kube-system/ConfigMap/kubeadm-config';
const configMap = (name: string): ReadObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'kube-system' },
});
const found = (kubeadm: ReadObject | null, proxy: ReadObject | null): Overrides<Facts> => ({
  resources: {
    objects: { 'kube-system/ConfigMap/kubeadm-config': kubeadm, 'kube-system/ConfigMap/kube-proxy': proxy },
  },
});
const both = found(configMap('kubeadm-config'), configMap('kube-proxy'));

test.each<[string, Overrides<Facts>, Partial<Choices>, string]>([
  ['both ConfigMaps', both, {}, 'fail'],
  ['both, while the proxy is off already', { ...both, proxy: { running: false } }, {}, 'fail'],
  ['no kubeadm', found(null, configMap('kube-proxy')), {}, 'pass'],
  ['no configuration of the proxy', found(configMap('kubeadm-config'), null), {}, 'pass'],
  ['the plan deletes it', both, { forgetKubeadmProxy: true }, 'pass'],
  ['the operator turns it off each time', both, { set: { 'calicoNetwork.kubeProxyManagement': 'Enabled' } }, 'pass'],
  ['automatic mode', both, { automatic: true }, 'pass'],
  ['it stays by choice', both, { keepProxy: true }, 'skipped'],
  ['kubeadm-config was not read', { resources: { objects: { [kubeadmId]: undefined } } }, {}, 'unknown'],
])('%s', (_name, facts, choices, expected) => {
  const finding = find(id, facts, { forgetKubeadmProxy: undefined, ...choices });
  expect([finding.status, finding.severity]).toEqual([expected, 'warning']);
});

test('the plan can fix it, and it can be acknowledged', () => {
  expect(find(id, both, { forgetKubeadmProxy: undefined, fix: [id] }).fixedBy).toBe('proxy.forget-kubeadm');
  expect(
    find(id, both, { forgetKubeadmProxy: undefined, acknowledge: { [id]: 'upgrades skip the phase' } }).acknowledged,
  ).not.toBeNull();
});

test('a proxy that was not read takes nothing from what the ConfigMaps say', () => {
  expect(find(id, uncover(aFacts(found(null, null)), 'proxy')).status).toBe('pass');
});
