import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { calicoKinds, kindNamed } from './calico-kinds.ts';
import { shownName, storedNames } from './policy-name.ts';
import { shownObject } from './shown-object.ts';

const stored = (kind: string, metadata: Record<string, unknown>, spec: unknown = {}): KubeObject =>
  ({ apiVersion: 'crd.projectcalico.org/v1', kind, metadata, spec }) as KubeObject;
const noted = (metadata: unknown) => ({
  'projectcalico.org/metadata': typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
});
const shown = (object: KubeObject, version: string | null = 'v3.31.4') => {
  const kind = kindNamed(object.kind === 'IPAMConfig' ? 'ipamconfigurations' : object.kind);
  if (kind === null) throw new Error(object.kind);
  return shownObject(object, kind, version);
};
const uid = '5d0c2a2a-9b1e-4f0e-8f4c-1b6f3a1c7e01';
const uidOfV3 = 'ba305454-d978-4f70-8f32-d8f65c387e80';

test.each([
  ['hep', 'HostEndpoint'],
  ['HEPS', 'HostEndpoint'],
  ['HostEndpoint', 'HostEndpoint'],
  ['hostendpoints', 'HostEndpoint'],
  ['hostendpoints.projectcalico.org', 'HostEndpoint'],
  ['hostendpoints.v3.projectcalico.org', 'HostEndpoint'],
  ['kubecontrollersconfig', 'KubeControllersConfiguration'],
  ['kcconfig', 'KubeControllersConfiguration'],
  ['cnp', 'NetworkPolicy'],
  ['policy', 'NetworkPolicy'],
  ['gnp', 'GlobalNetworkPolicy'],
  ['clusterinfo', 'ClusterInformation'],
  ['hostendpoints.crd.projectcalico.org', null],
  ['networkpolicies.networking.k8s.io', null],
  ['hep.projectcalico.org', null],
  ['pods', null],
  ['constructor', null],
  ['', null],
])('%s names %s', (word, kind) => {
  expect(kindNamed(word)?.shown.kind ?? null).toBe(kind);
});

test('no two kinds share a word', () => {
  const words = calicoKinds.flatMap(({ shown: { plural }, singular, shortNames }) => [plural, singular, ...shortNames]);
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
});

test('a kind that only the cluster knows is found by its plural and its kind', () => {
  const egress = { group: 'projectcalico.org', version: 'v3', kind: 'EgressPolicy', plural: 'egresspolicies' };
  const served = [{ ...egress, namespaced: false }];
  expect(kindNamed('egresspolicies', served)?.shown.kind).toBe('EgressPolicy');
  expect(kindNamed('EgressPolicy.projectcalico.org', served)?.stored).toBe(null);
  expect(kindNamed('egresspolicies', [{ ...egress, version: 'v4', namespaced: false }])).toBe(null);
});

test.each<[kind: string, storedAs: string, notedName: unknown, name: string]>([
  ['NetworkPolicy', 'default.web', undefined, 'web'],
  ['NetworkPolicy', 'default.web', 'default.web', 'default.web'],
  ['NetworkPolicy', 'default.web', 'web', 'web'],
  ['NetworkPolicy', 'default.web', 'security.web', 'web'],
  ['NetworkPolicy', 'default.web', 7, 'web'],
  ['GlobalNetworkPolicy', 'security.web', undefined, 'security.web'],
  ['StagedNetworkPolicy', 'knp.default.web', undefined, 'knp.default.web'],
  ['GlobalNetworkPolicy', 'kanp.adminnetworkpolicy.web', undefined, 'kanp.adminnetworkpolicy.web'],
  ['NetworkPolicy', 'ossg.default.web', undefined, 'ossg.default.web'],
  ['NetworkPolicy', 'default.default.web', undefined, 'default.web'],
  ['HostEndpoint', 'default.node', 'node', 'default.node'],
  ['NetworkSet', 'default.set', undefined, 'default.set'],
])('%s stored as %s, noted as %s, is shown as %s', (kind, storedAs, notedName, name) => {
  expect(shownName(kind, storedAs, notedName)).toBe(name);
  expect(storedNames(kind, name)).toContain(storedAs);
});

test.each<[what: string, object: KubeObject, version: string | null, metadata: Record<string, unknown>]>([
  ['the UID from v3.28 on', stored('Tier', { name: 't', uid }), 'v3.28.0', { name: 't', uid: uidOfV3 }],
  ['the UID before', stored('Tier', { name: 't', uid }), 'v3.27.5', { name: 't', uid }],
  ['no UID of an unknown version', stored('Tier', { name: 't', uid }), null, { name: 't' }],
  ['no UID that is none', stored('Tier', { name: 't', uid: 'x' }), 'v3.31.4', { name: 't' }],
  [
    'labels and annotations of both places; what is noted wins',
    stored('Tier', {
      name: 't',
      labels: { a: 'old', b: 'b' },
      annotations: { ...noted({ labels: { a: 'new' }, annotations: { x: 'y' } }), 'projectcalico.org/own': 'z' },
    }),
    'v3.31.4',
    {
      name: 't',
      labels: { a: 'new', b: 'b' },
      annotations: { x: 'y', 'projectcalico.org/own': 'z' },
    },
  ],
  [
    'what is noted stands in the place of the stored object’s own',
    stored('Tier', {
      name: 't',
      generation: 7,
      finalizers: ['own'],
      resourceVersion: '12',
      creationTimestamp: '2026-02-02T00:00:00Z',
      annotations: noted({ creationTimestamp: '2026-01-01T00:00:00Z', finalizers: ['noted', 3] }),
    }),
    'v3.31.4',
    { name: 't', resourceVersion: '12', creationTimestamp: '2026-01-01T00:00:00Z', finalizers: ['noted'] },
  ],
  [
    'the stored time where none is noted',
    stored('Tier', {
      name: 't',
      creationTimestamp: '2026-02-02T00:00:00Z',
      annotations: noted({ creationTimestamp: null }),
    }),
    'v3.31.4',
    { name: 't', creationTimestamp: '2026-02-02T00:00:00Z' },
  ],
  [
    'owners among Calico’s objects, in either form',
    stored('Tier', {
      name: 't',
      annotations: noted({
        ownerReferences: [
          { apiVersion: 'crd.projectcalico.org/v1', kind: 'Tier', name: 'o', uid, controller: true },
          { apiVersion: 'projectcalico.org/v3', kind: 'Tier', name: 'p', uid },
          { apiVersion: 'v1', kind: 'Node', name: 'n', uid },
          'nonsense',
        ],
      }),
    }),
    'v3.31.4',
    {
      name: 't',
      ownerReferences: [
        { apiVersion: 'projectcalico.org/v3', kind: 'Tier', name: 'o', uid: uidOfV3, controller: true },
        { apiVersion: 'projectcalico.org/v3', kind: 'Tier', name: 'p', uid: uidOfV3 },
        { apiVersion: 'v1', kind: 'Node', name: 'n', uid },
      ],
    },
  ],
  ['nonsense that is noted', stored('Tier', { name: 't', annotations: noted('{"labels":') }), null, { name: 't' }],
  ['a list that is noted', stored('Tier', { name: 't', annotations: noted('[1]') }), null, { name: 't' }],
  [
    'labels that are none',
    stored('Tier', { name: 't', annotations: noted({ labels: { a: 1, b: 'b' }, annotations: 'x', generation: 'y' }) }),
    null,
    { name: 't', labels: { b: 'b' } },
  ],
  [
    'the label of the default tier',
    stored('NetworkPolicy', { name: 'default.web', namespace: 'shop' }),
    'v3.29.0',
    { name: 'web', namespace: 'shop', labels: { 'projectcalico.org/tier': 'default' } },
  ],
  [
    'no such label before there were tiers',
    stored('NetworkPolicy', { name: 'default.web', namespace: 'shop' }),
    'v3.27.5',
    { name: 'web', namespace: 'shop' },
  ],
])('metadata: %s', (_what, object, version, metadata) => {
  expect(shown(object, version).metadata).toEqual(metadata);
});

test.each<[what: string, object: KubeObject, spec: unknown]>([
  [
    'a pool’s defaults',
    stored('IPPool', { name: 'p' }, { cidr: '10.0.0.0/16', allowedUses: [] }),
    {
      cidr: '10.0.0.0/16',
      blockSize: 26,
      allowedUses: ['Workload', 'Tunnel'],
      nodeSelector: 'all()',
      ipipMode: 'Never',
      vxlanMode: 'Never',
      assignmentMode: 'Automatic',
    },
  ],
  [
    'what a pool says itself',
    stored(
      'IPPool',
      { name: 'p' },
      {
        cidr: 'fd00::/48',
        allowedUses: ['LoadBalancer'],
        nodeSelector: '!all()',
        ipipMode: 'Always',
        vxlanMode: 'CrossSubnet',
        assignmentMode: 'Manual',
      },
    ),
    {
      cidr: 'fd00::/48',
      blockSize: 122,
      allowedUses: ['LoadBalancer'],
      nodeSelector: '!all()',
      ipipMode: 'Always',
      vxlanMode: 'CrossSubnet',
      assignmentMode: 'Manual',
    },
  ],
  ['the tier that the name says', stored('GlobalNetworkPolicy', { name: 'security.a' }, {}), { tier: 'security' }],
  ['the default tier', stored('NetworkPolicy', { name: 'default.a' }, { order: 1 }), { order: 1, tier: 'default' }],
  ['a flag that is text', stored('BlockAffinity', { name: 'b' }, { deleted: 'true' }), { deleted: true }],
  ['a flag that is off', stored('BlockAffinity', { name: 'b' }, { deleted: 'false', node: 'n' }), { node: 'n' }],
])('spec: %s', (_what, object, spec) => {
  expect(shown(object).spec).toEqual(spec);
});

test('the stored kind of IPAM’s settings has another name', () => {
  expect(shown(stored('IPAMConfig', { name: 'default' }, { strictAffinity: true }))).toMatchObject({
    apiVersion: 'projectcalico.org/v3',
    kind: 'IPAMConfiguration',
    spec: { strictAffinity: true },
  });
});

test("objects from Calico's own API stay as they are", () => {
  const object = {
    ...stored('IPPool', { name: 'p', uid }, { cidr: '10.0.0.0/16' }),
    apiVersion: 'projectcalico.org/v3',
  };
  expect(shown(object)).toBe(object);
});
