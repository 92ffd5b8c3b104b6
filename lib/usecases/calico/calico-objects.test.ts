import { expect, test } from 'vitest';
import { createStore, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { findObject, listObjects, openKinds } from './calico-objects.ts';

const { signal } = new AbortController();
const object = (apiVersion: string, kind: string, name: string, more: object = {}): KubeObject =>
  ({ apiVersion, kind, metadata: { name, ...more }, spec: {} }) as KubeObject;
const v1 = 'crd.projectcalico.org/v1';
const v3 = 'projectcalico.org/v3';
const stored = [resources.hostEndpoints, resources.calicoNetworkPolicies, resources.clusterInformations];
const shown = [resources.hostEndpointsV3, resources.calicoNetworkPoliciesV3];
const shop = object('v1', 'Namespace', 'shop');
const information = {
  ...object(v1, 'ClusterInformation', 'default'),
  spec: { calicoVersion: 'v3.31.4', clusterType: 'k8s,bgp,kdd' },
};
const clusterOf = (kinds: readonly Resource[], ...objects: KubeObject[]): Kube =>
  createStore({ name: 'lab', source: 'live', kinds: [...kinds, resources.installations], objects: [shop, ...objects] });

async function opened(kube: Kube, word: string) {
  const [open] = await openKinds(kube, [word], signal);
  if (open === undefined) throw new Error(word);
  return open;
}

test("kinds that Calico's own API serves are read from it", async () => {
  const kube = clusterOf(
    [...stored, ...shown],
    object(v3, 'HostEndpoint', 'of-v3'),
    object(v1, 'HostEndpoint', 'of-v1'),
  );
  const hep = await opened(kube, 'hep');
  expect(hep.through).toBe('calico-api');
  const list = await listObjects(kube, hep, { namespace: 'default', labelSelector: null }, signal);
  expect(list.map((one) => one.shown.metadata.name)).toEqual(['of-v3']);
});

test('where it is away, what is stored is shown in its form', async () => {
  const store = clusterOf([...stored, ...shown], information, object(v1, 'HostEndpoint', 'of-v1'));
  const failing = [{ groupVersion: v3, because: 'the server behind this API does not answer' }];
  const kube: Kube = { ...store, discover: async () => ({ ...(await store.discover()), failing }) };
  const hep = await opened(kube, 'hep');
  expect(hep).toMatchObject({ through: 'datastore', calicoVersion: 'v3.31.4' });
  expect((await findObject(kube, hep, 'default', 'of-v1', signal))?.shown.apiVersion).toBe(v3);
  await expect(openKinds(kube, ['profiles'], signal)).rejects.toThrow(/ServiceUnavailable.*does not answer/);
});

test('a policy is found by the name that is shown, in its namespace', async () => {
  const policy = object(v1, 'NetworkPolicy', 'default.web', { namespace: 'shop', uid: 'u' });
  const kube = clusterOf(stored, information, policy);
  const cnp = await opened(kube, 'cnp');
  expect((await findObject(kube, cnp, 'shop', 'web', signal))?.served.metadata.name).toBe('default.web');
  expect(await findObject(kube, cnp, 'shop', 'default.web', signal)).toBe(null);
  expect(await findObject(kube, cnp, 'default', 'web', signal)).toBe(null);
});

test('labels are matched as they are shown', async () => {
  const annotations = { 'projectcalico.org/metadata': '{"labels":{"env":"prod"}}' };
  const kube = clusterOf(
    stored,
    information,
    object(v1, 'HostEndpoint', 'b', { annotations }),
    object(v1, 'HostEndpoint', 'a', { labels: { env: 'prod' } }),
    object(v1, 'HostEndpoint', 'c'),
  );
  const found = await listObjects(
    kube,
    await opened(kube, 'hep'),
    { namespace: null, labelSelector: 'env=prod' },
    signal,
  );
  expect(found.map((one) => one.shown.metadata.name)).toEqual(['a', 'b']);
});

test('a leftover beside data in etcd is refused', async () => {
  const agent = {
    ...object('apps/v1', 'DaemonSet', 'calico-node', { namespace: 'kube-system' }),
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [
            { name: 'calico-node', image: 'calico/node:v3.31.4', env: [{ name: 'ETCD_ENDPOINTS', value: 'x' }] },
          ],
        },
      },
    },
  };
  const kube = clusterOf(stored, information, object(v1, 'HostEndpoint', 'a'), agent);
  await expect(openKinds(kube, ['hep'], signal)).rejects.toThrow(/keeps its data in etcd/);
});

test.each([
  ['pods', /^error: the server doesn't have a resource type "pods"$/],
  ['tiers', /^error: the server doesn't have a resource type "tiers"$/],
  ['profiles', /ServiceUnavailable.*there is none/],
])('%s is refused in kubectl’s words', async (word, words) => {
  await expect(openKinds(clusterOf(stored), [word], signal)).rejects.toThrow(words);
});
