import { expect, test } from 'vitest';
import type { ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import { compareReleases } from './compare-releases.ts';

const release = (objects: readonly ManifestObject[]): ReleaseContents => ({
  version: 'v3.99.1',
  operator: 'v1.99.1',
  source: 'a test',
  manifests: { 'a.yaml': { version: 'v3.99.1', file: 'a.yaml', sha256: '0', objects } },
});

const definition = (properties: Readonly<Record<string, unknown>>): ManifestObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'whiskers.operator.tigera.io' },
  spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { properties: { spec: { properties } } } } }] },
});

const role: ManifestObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'a', namespace: 'b' },
};
const namespace: ManifestObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } };

test('objects that come, go and change, and of definitions the fields', () => {
  const before = release([namespace, definition({ kept: {}, gone: { properties: { below: {} } } })]);
  const list = { items: { properties: { name: {}, deep: { properties: { deeper: {} } } } } };
  const after = release([role, definition({ kept: {}, list })]);
  expect(compareReleases(before, after)).toEqual({
    added: ['rbac.authorization.k8s.io/Role b/a'],
    removed: ['Namespace a'],
    changed: [
      {
        object: 'apiextensions.k8s.io/CustomResourceDefinition whiskers.operator.tigera.io',
        fields: { added: ['spec.list'], removed: ['spec.gone'] },
      },
    ],
  });
});

test('the same release differs in nothing', () => {
  const same = release([namespace, role, definition({ a: {} })]);
  expect(compareReleases(same, structuredClone(same))).toEqual({ added: [], removed: [], changed: [] });
});
