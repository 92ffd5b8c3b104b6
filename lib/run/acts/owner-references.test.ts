import { expect, test } from 'vitest';
import { instantClock, type KubeObject } from '#lib/kube/index.ts';
import { createStore } from '#lib/kube/store/index.ts';
import { type Resource, resources, v3Uid } from '#lib/spec/index.ts';
import { ownerKinds, ownerNow } from './owner-references.ts';

const v1 = (kind: string, plural: string, namespaced: boolean): Resource => ({
  group: 'crd.projectcalico.org',
  version: 'v1',
  kind,
  plural,
  namespaced,
});
const kinds = [v1('NetworkPolicy', 'networkpolicies', true), v1('IPAMConfig', 'ipamconfigs', false)];
const shown = (kind: string, plural: string, namespaced: boolean): Resource => ({
  ...v1(kind, plural, namespaced),
  group: 'projectcalico.org',
  version: 'v3',
});
const shownKinds = [
  shown('NetworkPolicy', 'networkpolicies', true),
  shown('IPAMConfiguration', 'ipamconfigurations', false),
  shown('Profile', 'profiles', false),
];
const uid = '5d0c2a2a-9b1e-4f0e-8f4c-1b6f3a1c7e01';
const another = 'a0000000-0000-4000-8000-000000000001';
const derived = v3Uid(uid) ?? '';

function object(apiVersion: string, kind: string, name: string, its = uid): KubeObject {
  const where = /^(IPAM|Profile|Namespace$)/.test(kind) ? {} : { namespace: 'shop' };
  return { apiVersion, kind, metadata: { name, uid: its, ...where } };
}
const stored = (name: string, its = uid, kind = 'NetworkPolicy') => object('crd.projectcalico.org/v1', kind, name, its);
const served = (name: string, kind = 'NetworkPolicy') => object('projectcalico.org/v3', kind, name, derived);

test.each<[what: string, kind: string, name: string, objects: KubeObject[], expected: object]>([
  ['a policy by its tier', 'NetworkPolicy', 'a.web', [stored('a.web'), served('a.web')], { served: derived }],
  ['one without', 'NetworkPolicy', 'web', [stored('default.web'), served('web')], { served: derived }],
  ['one with a dot', 'NetworkPolicy', 'web.v1', [stored('default.web.v1'), served('web.v1')], { served: derived }],
  [
    'one that is called as if it had a tier',
    'NetworkPolicy',
    'default.web',
    [stored('default.web', another), stored('default.default.web'), served('default.web')],
    { served: derived },
  ],
  [
    'a kind that is stored as another',
    'IPAMConfiguration',
    'default',
    [stored('default', uid, 'IPAMConfig'), served('default', 'IPAMConfiguration')],
    { served: derived },
  ],
  [
    'a profile of a namespace',
    'Profile',
    'kns.team',
    [object('v1', 'Namespace', 'team'), served('kns.team', 'Profile')],
    { expected: derived, served: derived },
  ],
  [
    'a profile of a ServiceAccount whose name has a dot',
    'Profile',
    'ksa.shop.web.v1',
    [object('v1', 'ServiceAccount', 'web.v1'), served('ksa.shop.web.v1', 'Profile')],
    { expected: derived, served: derived },
  ],
  [
    'a policy of Kubernetes',
    'NetworkPolicy',
    'knp.default.web',
    [object('networking.k8s.io/v1', 'NetworkPolicy', 'web'), served('knp.default.web')],
    { expected: derived, served: derived },
  ],
  [
    'a profile whose namespace was made anew',
    'Profile',
    'kns.team',
    [object('v1', 'Namespace', 'team', another)],
    { kind: 'gone', because: 'its owner Profile kns.team was deleted, and is another one now' },
  ],
  [
    'a profile of nothing in Kubernetes',
    'Profile',
    'mine',
    [],
    { kind: 'gone', because: 'Profile mine is not stored as an object, so its UID cannot be computed' },
  ],
  [
    'another one of its name',
    'NetworkPolicy',
    'web',
    [stored('default.web', another)],
    { kind: 'gone', because: 'its owner NetworkPolicy web was deleted, and is another one now' },
  ],
  [
    'none',
    'NetworkPolicy',
    'web.v1',
    [],
    { kind: 'gone', because: 'its owner NetworkPolicy web.v1 is no longer there' },
  ],
])('an owner is found where it is stored: %s', async (_what, kind, name, objects, expected) => {
  const store = createStore({
    name: 'lab',
    source: 'sandbox',
    clock: instantClock(),
    kinds: [...kinds, ...shownKinds],
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, ...objects],
  });
  const reference = { apiVersion: 'projectcalico.org/v3', kind, name, uid };
  const target = { resource: resources.configMaps, namespace: 'shop', name: 'settings' };
  const owned = { target, uid: 'dependant', references: [reference] };
  expect(await ownerNow(store, await ownerKinds(store), owned, reference, 'derived')).toMatchObject(expected);
});
