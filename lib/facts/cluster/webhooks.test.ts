import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { collectFacts } from '../collect.ts';
import { webhooksOf } from './webhooks.ts';

const rancher = (more: Record<string, unknown> = {}): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'rancher.cattle.io' },
  webhooks: [
    {
      name: 'rancher.cattle.io.namespaces',
      failurePolicy: 'Fail',
      clientConfig: { service: { namespace: 'cattle-system', name: 'rancher-webhook' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['namespaces'] }],
      ...more,
    },
  ],
});
const names = (operator: string, ...values: string[]) => ({
  namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator, values }] },
});
const ours = ['tigera-operator', 'calico-system', 'calico-apiserver'];

test.each<[string, Record<string, unknown>, string[] | null]>([
  ['rancher-webhook', {}, ours],
  ['without a policy, which is Fail', { failurePolicy: undefined }, ours],
  ['that ignores failures', { failurePolicy: 'Ignore' }, null],
  ['of other things', { rules: [{ apiGroups: ['apps'], operations: ['*'], resources: ['deployments'] }] }, null],
  ['of everything', { rules: [{ apiGroups: ['*'], operations: ['*'], resources: ['*/*'] }] }, ours],
  [
    'that is asked only when something is deleted',
    { rules: [{ apiGroups: [''], operations: ['DELETE'], resources: ['pods'] }] },
    null,
  ],
  ['that leaves ours out', names('NotIn', 'kube-system', ...ours), null],
  [
    'that leaves some of ours out',
    names('NotIn', 'kube-system', 'calico-system'),
    ['tigera-operator', 'calico-apiserver'],
  ],
  ['for namespaces that ask for it', { namespaceSelector: { matchLabels: { inject: 'enabled' } } }, null],
  [
    'for those without a label',
    { namespaceSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] } },
    ours,
  ],
])('a webhook %s', (_name, more, namespaces) => {
  const [found] = webhooksOf(rancher(more));
  expect(found?.namespaces ?? null).toEqual(namespaces);
});

const service: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'cattle-system', name: 'rancher-webhook' },
  spec: { selector: { app: 'rancher-webhook' } },
};
const pod = (name: string, hostNetwork: boolean | undefined): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'cattle-system', name, labels: { app: 'rancher-webhook' } },
  spec: { containers: [], ...(hostNetwork === undefined ? {} : { hostNetwork }) },
});

test.each<[string, KubeObject[], boolean | null]>([
  ['on the pod network', [service, pod('a', undefined)], false],
  ['on the host network', [service, pod('a', true), pod('b', true)], true],
  ['one of two', [service, pod('a', true), pod('b', false)], false],
  ['no pods at all', [service], null],
  ['no such Service', [], null],
  ['a Service without a selector', [{ ...service, spec: {} }, pod('a', true)], null],
])('its backend: %s', async (_name, objects, onHostNetwork) => {
  const kube = createStore({ name: 'lab', source: 'live', objects: [rancher(), ...objects] });
  const { resources, coverage } = await collectFacts({ kube });
  expect(resources.webhooks).toEqual([
    {
      object: 'ValidatingWebhookConfiguration/rancher.cattle.io',
      webhook: 'rancher.cattle.io.namespaces',
      asked: ['namespaces'],
      namespaces: ours,
      backend: { object: 'cattle-system/Service/rancher-webhook', onHostNetwork },
    },
  ]);
  expect(coverage.webhooks.covered).toBe(true);
});

test('a URL is no pod', async () => {
  const kube = createStore({
    name: 'lab',
    source: 'live',
    objects: [rancher({ clientConfig: { url: 'https://hooks.example.org/' } })],
  });
  const { resources } = await collectFacts({ kube });
  expect(resources.webhooks[0]?.backend).toEqual({ object: 'https://hooks.example.org/', onHostNetwork: true });
});
