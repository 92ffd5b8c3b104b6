import { expect, test } from 'vitest';
import type { AccessRule } from '#lib/kube/index.ts';
import { createStore } from '#lib/kube/store/index.ts';
import { type ManifestObject, resources } from '#lib/spec/index.ts';
import { triedWithoutForce } from './tried-without-force.ts';

/** A definition in two releases: a field that the second changes and another manager owns is a conflict. */

const resource = resources.customResourceDefinitions;
const name = 'ippools.crd.projectcalico.org';
const definition = (scope: string): ManifestObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: { scope, group: 'crd.projectcalico.org' },
});
const { signal } = new AbortController();

async function opened(access?: AccessRule[]) {
  const kinds = [resource, resources.deployments];
  const store = createStore({ name: 'lab', source: 'live', kinds, objects: [] });
  await store.apply(resource, definition('Namespaced'), { force: true, fieldManager: 'argocd-controller' });
  return { store, kube: access ? store.as({ name: 'somebody', rules: access }) : store };
}

test('a field of another manager that the release changes is reported with its manager, and nothing is changed', async () => {
  const { store, kube } = await opened();
  const before = await store.get({ resource, name });
  expect(await triedWithoutForce(kube, [definition('Cluster')], signal)).toEqual([
    {
      object: `CustomResourceDefinition/${name}`,
      conflicts: [{ manager: 'argocd-controller', field: '.spec.scope' }],
    },
  ]);
  expect(await store.get({ resource, name })).toEqual(before);
});

test('unchanged fields and missing objects are no conflicts', async () => {
  const { store, kube } = await opened();
  expect(await triedWithoutForce(kube, [definition('Namespaced')], signal)).toMatchObject([{ conflicts: [] }]);
  const absent = { ...definition('Cluster'), metadata: { name: 'tiers.crd.projectcalico.org' } };
  const elsewhere: ManifestObject = {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default' },
  };
  expect(await triedWithoutForce(kube, [absent, elsewhere], signal)).toMatchObject([
    { conflicts: [] },
    { object: 'Installation/default', conflicts: [] },
  ]);
  expect(await store.get({ resource, name: absent.metadata.name })).toBeNull();
});

test('a forbidden dry run and an unknown kind are unknown with their reasons', async () => {
  const { kube } = await opened([{ verbs: ['get'], groups: ['*'], resources: ['*'] }]);
  const strange = { ...definition('Cluster'), kind: 'Strange' };
  const [refused, unknown] = await triedWithoutForce(kube, [definition('Cluster'), strange], signal);
  expect(refused).toMatchObject({
    object: `CustomResourceDefinition/${name}`,
    unknown: expect.stringMatching(/patch/),
  });
  expect(unknown).toEqual({
    object: `Strange/${name}`,
    unknown: 'Strange (apiextensions.k8s.io/v1) is not known here',
  });
});
