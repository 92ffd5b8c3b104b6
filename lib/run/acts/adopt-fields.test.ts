import { expect, test } from 'vitest';
import { createStore, type KubeObject, type Store } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { adopted, adoptFields, isAdopted } from './adopt-fields.ts';

type Entry = NonNullable<KubeObject['metadata']['managedFields']>[number];

const entry = (manager: string, operation: 'Apply' | 'Update', fieldsV1: object, more: Partial<Entry> = {}): Entry =>
  ({ manager, operation, apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1, ...more }) as Entry;
const copy = { 'f:kubectl.kubernetes.io/last-applied-configuration': {} };
const ofPod = (fields: object) => ({ 'f:spec': { 'f:template': { 'f:spec': fields } } });

const byKubectl = entry('kubectl-client-side-apply', 'Update', {
  'f:metadata': { 'f:annotations': { '.': {}, ...copy }, 'f:labels': { '.': {}, 'f:k8s-app': {} } },
  ...ofPod({ 'f:nodeSelector': {} }),
});
const status = entry('kube-controller-manager', 'Update', { 'f:status': {} }, { subresource: 'status' });
const counter = entry('kube-controller-manager', 'Update', {
  'f:metadata': { 'f:annotations': { 'f:deprecated.daemonset.template.generation': {} } },
});

test.each<[string, Entry[], Entry[]]>([
  [
    'fields of several clients become ours together; kubectl keeps its copy of what it applied',
    [byKubectl, entry('Mozilla', 'Update', ofPod({ 'f:tolerations': {} }))],
    [
      entry('signalbox', 'Apply', {
        'f:metadata': { 'f:labels': { '.': {}, 'f:k8s-app': {} } },
        ...ofPod({ 'f:nodeSelector': {}, 'f:tolerations': {} }),
      }),
      entry('kubectl-client-side-apply', 'Update', { 'f:metadata': { 'f:annotations': copy } }),
    ],
  ],
  [
    'what kubectl applied on the server too, with what was ours before',
    [entry('signalbox', 'Apply', ofPod({ 'f:a': {} })), entry('kubectl', 'Apply', ofPod({ 'f:b': {} }))],
    [entry('signalbox', 'Apply', ofPod({ 'f:a': {}, 'f:b': {} }))],
  ],
  [
    'our own patches of an undo',
    [entry('signalbox', 'Update', ofPod({ 'f:a': {} }))],
    [entry('signalbox', 'Apply', ofPod({ 'f:a': {} }))],
  ],
  [
    'what no release says stays with whoever wrote it: owners, finalizers, tokens of a ServiceAccount',
    [
      entry('kubectl-edit', 'Update', {
        'f:metadata': { 'f:finalizers': { '.': {} }, 'f:ownerReferences': { '.': {} }, 'f:labels': { 'f:mine': {} } },
        'f:automountServiceAccountToken': {},
        'f:secrets': { '.': {} },
        'f:imagePullSecrets': { '.': {} },
      }),
      entry('protector', 'Update', { 'f:metadata': { 'f:finalizers': { 'v:"one"': {} } }, 'f:immutable': {} }),
    ],
    [
      entry('signalbox', 'Apply', {
        'f:metadata': { 'f:labels': { 'f:mine': {} } },
        'f:imagePullSecrets': { '.': {} },
      }),
      entry('kubectl-edit', 'Update', {
        'f:metadata': { 'f:finalizers': { '.': {} }, 'f:ownerReferences': { '.': {} } },
        'f:automountServiceAccountToken': {},
        'f:secrets': { '.': {} },
      }),
      entry('protector', 'Update', { 'f:metadata': { 'f:finalizers': { 'v:"one"': {} } }, 'f:immutable': {} }),
    ],
  ],
])('%s', (_what, before, after) => {
  expect(adopted([...before, status, counter], 'apps/v1')).toEqual([...after, status, counter]);
  const object = (managedFields: Entry[]): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'one', managedFields },
  });
  expect([before, after].map((entries) => isAdopted(object([...entries, status, counter])))).toEqual([false, true]);
});

test('what another tool applies stays its own: it would come back with its next turn', () => {
  const flux = entry('kustomize-controller', 'Apply', ofPod({ 'f:a': {} }));
  expect(
    isAdopted({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'one', managedFields: [flux, status] } }),
  ).toBe(true);
});

test('what a release no longer has stays where its fields were not taken over, and goes where they were', async () => {
  const target = { resource: resources.daemonSets, namespace: 'kube-system', name: 'calico-node' };
  const agents = (variables: string[]): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: target.namespace, name: target.name },
    spec: {
      selector: { matchLabels: { app: 'x' } },
      template: {
        metadata: { labels: { app: 'x' } },
        spec: { containers: [{ name: 'c', image: 'i', env: variables.map((name) => ({ name, value: 'x' })) }] },
      },
    },
  });
  const afterUpgrade = async (takeOver: (store: Store) => Promise<void>) => {
    const store = createStore({ name: 'lab', source: 'sandbox' });
    await store.create(target.resource, agents(['OLD', 'KEPT']), { fieldManager: 'kubectl-client-side-apply' });
    await takeOver(store);
    await store.apply(target.resource, agents(['KEPT']), { force: true });
    return JSON.stringify((await store.get(target))?.spec);
  };
  expect(await afterUpgrade(async () => {})).toContain('OLD');
  expect(await afterUpgrade((store) => adoptFields(store, target))).not.toContain('OLD');
});
