import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

const without = (...ids: string[]): Overrides<Facts> => ({
  resources: { objects: Object.fromEntries(ids.map((id) => [id, null])) },
});
const daemonSet = 'kube-system/DaemonSet/kube-proxy';
const config = 'kube-system/ConfigMap/kube-proxy';
const account = 'kube-system/ServiceAccount/kube-proxy';

test.each<[string, Overrides<Facts>, string]>([
  ['all of it is there', {}, 'pass'],
  ['the DaemonSet is gone', without(daemonSet), 'fail'],
  ['the ConfigMap is gone', without(config), 'fail'],
  ['the ServiceAccount is gone', without(account), 'fail'],
  [
    "OpenShift's operator makes it",
    { proxy: { kind: 'openshift' }, ...without(daemonSet, config, account) },
    'skipped',
  ],
  ['RKE2 brings it', { platform: { kind: 'rke2' }, ...without(daemonSet, config, account) }, 'skipped'],
])('%s', (_name, facts, expected) => {
  expect(find('proxy.can-come-back', facts, { goal: 'undo' }).status).toBe(expected);
});

test('everything that is gone is listed', () => {
  const finding = find('proxy.can-come-back', without(daemonSet, config), { goal: 'undo' });
  expect(subjectLines(finding)).toEqual([
    'DaemonSet kube-system/kube-proxy: is not there',
    'ConfigMap kube-system/kube-proxy: is not there',
  ]);
});

test('a ConfigMap that the DaemonSet does not mount is not missed', () => {
  const objects = {
    [daemonSet]: {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'kube-proxy' },
      spec: { template: { spec: { serviceAccountName: 'kube-proxy', volumes: [] } } },
    },
    [config]: null,
  };
  expect(find('proxy.can-come-back', { resources: { objects } }, { goal: 'undo' }).status).toBe('pass');
});

test('what was not read is unknown', () => {
  const facts = uncover(aFacts(), 'proxy');
  expect(find('proxy.can-come-back', facts, { goal: 'undo' }).status).toBe('unknown');
  const objects = { ...aFacts().resources.objects };
  delete objects[config];
  expect(
    find('proxy.can-come-back', { ...facts, resources: { ...facts.resources, objects } }, { goal: 'undo' }).status,
  ).toBe('unknown');
});

test('where nobody knows who made the cluster, it may be a service of each node', () => {
  const finding = find(
    'proxy.can-come-back',
    { platform: { kind: 'generic' }, ...without(daemonSet, config, account) },
    { goal: 'undo' },
  );
  expect(finding.status).toBe('unknown');
  expect(finding.remedy.steps.join(' ')).toContain('systemctl enable --now kube-proxy');
});

test('one of another name that runs is there already', () => {
  const seen = [{ object: 'kube-system/DaemonSet/kube-proxy-worker-a-v1.34.3', path: '', value: null }];
  const proxy = { kind: 'unknown', running: true, evidence: seen } as const;
  expect(find('proxy.can-come-back', { proxy, ...without(daemonSet) }, { goal: 'undo' }).status).toBe('pass');
});

test.each([
  ['kubeadm', /with the command below on a control plane node/],
  ['eks', /the add-on of EKS/],
  ['aks', /only the provider/],
  ['generic', /from a backup/],
] as const)('on %s what is missing comes from where it is made there', (kind, step) => {
  const { remedy } = find('proxy.can-come-back', { platform: { kind }, ...without(config) }, { goal: 'undo' });
  expect(remedy.steps[0]).toMatch(step);
});
