import { expect, test } from 'vitest';
import { mask } from '#lib/text/index.ts';
import { marksOf } from '../cluster/ownership-marks.ts';
import { readObjectSchema } from '../schema.ts';
import { aDeployment, anInstallation, aProxy } from '../testing/sample-cluster.ts';
import { toReadObject } from './read-object.ts';

test('an object is kept as it is, without bookkeeping and without secrets', () => {
  const env = [
    { name: 'HTTPS_PROXY', value: 'http://user:hunter2@proxy.example.org:3128' },
    { name: 'DB_PASSWORD', value: 'hunter2' },
    { name: 'KUBERNETES_SERVICE_HOST', value: '198.18.0.10' },
  ];
  const object = aDeployment({ namespace: 'tigera-operator', name: 'tigera-operator', image: 'x', env });
  object.metadata.managedFields = [{ manager: 'kubectl', operation: 'Apply' }];
  object.metadata.annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2', kept: 'yes' };
  const read = toReadObject(object);

  expect(readObjectSchema.parse(read)).toEqual(read);
  expect(JSON.stringify(read)).not.toContain('hunter2');
  expect(read.metadata).toEqual({
    name: 'tigera-operator',
    namespace: 'tigera-operator',
    labels: { 'k8s-app': 'tigera-operator' },
    annotations: { kept: 'yes' },
  });
  expect(JSON.stringify(read)).toContain('"value":"198.18.0.10"');
  expect(JSON.stringify(read)).toContain(`http://${mask('looks like a password')}@proxy.example.org:3128`);
});

test('an object without secrets stays the same object', () => {
  const object = anInstallation();
  expect(toReadObject(object)).toEqual(object);
  expect(toReadObject(aProxy()).spec).toEqual(aProxy().spec);
});

test('values of Secrets are masked', () => {
  const read = toReadObject({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'eA==' } });
  expect(read.data).toEqual({ a: mask('a value of a Secret') });
});

test.each([
  ['argocd', { annotations: { 'argocd.argoproj.io/tracking-id': 'app:apps/DaemonSet:kube-system/kube-proxy' } }],
  ['flux', { labels: { 'kustomize.toolkit.fluxcd.io/name': 'infra' } }],
  [
    'fleet',
    {
      annotations: {
        'objectset.rio.cattle.io/id': 'default-infra',
        'objectset.rio.cattle.io/owner-gvk': '/v1, Kind=Secret',
      },
    },
  ],
  [
    'addon-manager',
    {
      annotations: {
        'objectset.rio.cattle.io/id': '',
        'objectset.rio.cattle.io/owner-gvk': 'k3s.cattle.io/v1, Kind=Addon',
      },
    },
  ],
  ['addon-manager', { labels: { 'addonmanager.kubernetes.io/mode': 'EnsureExists' } }],
  ['helm', { annotations: { 'meta.helm.sh/release-name': 'calico' } }],
  ['other', { labels: { 'app.kubernetes.io/managed-by': 'kops' } }],
  ['argocd', { managedFields: [{ manager: 'argocd-controller', operation: 'Apply' as const }] }],
])('a mark of %s', (by, metadata) => {
  const object = { ...aProxy(), metadata: { name: 'kube-proxy', namespace: 'kube-system', ...metadata } };
  expect(marksOf(object).map((mark) => mark.by)).toEqual([by]);
  expect(marksOf(object)[0]).toMatchObject({ object: 'kube-system/DaemonSet/kube-proxy' });
});

test('the operator’s own label is no foreign owner', () => {
  const object = {
    ...aProxy(),
    metadata: { name: 'x', labels: { 'app.kubernetes.io/managed-by': 'tigera-operator' } },
  };
  expect(marksOf(object)).toEqual([]);
});

test('a long text without end is looked through once, not once for each of its letters', () => {
  const value = 'x'.repeat(200_000);
  expect(
    toReadObject(aDeployment({ namespace: 'a', name: 'b', image: 'c', env: [{ name: 'NOTE', value }] })).kind,
  ).toBe('Deployment');
});
