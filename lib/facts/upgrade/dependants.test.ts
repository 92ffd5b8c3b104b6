import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { dependantOf } from './dependants.ts';

const policy = { apiVersion: 'projectcalico.org/v3', kind: 'NetworkPolicy', name: 'default.cart', uid: 'a-1' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart', uid: 'a-2' };
const ours = { 'k:{"uid":"a-1"}': {} };
const others = { 'k:{"uid":"a-2"}': {} };
const writer = (manager: string, keys?: object) => ({
  manager,
  operation: 'Update',
  fieldsV1: { 'f:metadata': keys ? { 'f:ownerReferences': { '.': {}, ...keys } } : { 'f:labels': {} } },
});

function found(ownerReferences: unknown, managedFields: object[] = []) {
  const metadata = { name: 'settings', namespace: 'shop', uid: 'b', ownerReferences, managedFields };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata } as unknown as KubeObject;
  return dependantOf(object, resources.configMaps);
}

test.each([
  ['no references', undefined],
  ['nonsense', 'policy'],
  ['an empty list', []],
  ['owners of other APIs', [deployment, { ...policy, apiVersion: 'crd.projectcalico.org/v1' }, null, 7]],
])('%s: nobody of Calico owns it', (_name, references) => {
  expect(found(references)).toBeNull();
});

test('only references to Calico’s own API, exactly as they are', () => {
  const full = { ...policy, controller: true, blockOwnerDeletion: false };
  expect(found([deployment, full])).toEqual({
    resource: resources.configMaps,
    namespace: 'shop',
    name: 'settings',
    uid: 'b',
    references: [full],
    writers: [],
  });
});

test.each([
  ['who wrote this reference', [writer('cart-controller', ours), writer('kubectl', others)], ['cart-controller']],
  ['who wrote the list, where it has no keys', [writer('store', {}), writer('kubectl')], ['store']],
  ['each once', [writer('a', ours), writer('a', ours), writer('b', ours)], ['a', 'b']],
])('%s is named', (_name, managedFields, writers) => {
  expect(found([policy], managedFields)?.writers).toEqual(writers);
});
