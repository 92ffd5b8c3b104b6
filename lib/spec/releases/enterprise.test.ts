import { expect, test } from 'vitest';
import {
  calicoOf,
  enterpriseKindsOf,
  enterpriseReleases,
  isEnterprise,
  isEnterpriseTrain,
  variantOf,
} from './enterprise.ts';
import type { Manifest, ManifestObject } from './release-contents.ts';
import { calicoMinorOfOperator, operatorTrains } from './releases.ts';

const file = (name: string, ...objects: ManifestObject[]): Record<string, Manifest> => ({
  [name]: { version: 'v3.22.2', file: name, sha256: '0'.repeat(64), objects },
});
const installation = (spec: object): ManifestObject => ({
  apiVersion: 'operator.tigera.io/v1',
  kind: 'Installation',
  metadata: { name: 'default' },
  spec,
});
const definition = (kind: string, group = 'operator.tigera.io'): ManifestObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: { group, names: { kind } },
});

test.each([
  [{ variant: 'TigeraSecureEnterprise' }, 'TigeraSecureEnterprise'],
  [{ variant: 'CalicoEnterprise' }, 'TigeraSecureEnterprise'],
  [{ variant: 'Calico' }, 'Calico'],
  [{ variant: 7 }, 'Calico'],
  [{}, 'Calico'],
])('custom resources that ask for %o are of %s', (spec, expected) => {
  expect(variantOf({ manifests: file('custom-resources.yaml', installation(spec)) })).toBe(expected);
  expect(variantOf({ manifests: file('ocp', installation(spec)) })).toBe(expected);
});

test('somebody’s own file comes before OpenShift’s bundle', () => {
  const manifests = {
    ...file('ocp', installation({ variant: 'Calico' })),
    ...file('custom-resources.yaml', installation({ variant: 'TigeraSecureEnterprise' })),
  };
  expect(variantOf({ manifests })).toBe('TigeraSecureEnterprise');
});

test('kinds of Enterprise are told by their definitions, and by nobody else’s', () => {
  const manifests = file(
    'operator-crds.yaml',
    definition('LogStorage'),
    definition('Installation'),
    definition('Monitor', 'example.com'),
  );
  expect(enterpriseKindsOf({ manifests })).toEqual(['LogStorage']);
});

test('a release of Enterprise is built from a release of Calico', () => {
  const enterprise = file('custom-resources.yaml', installation({ variant: 'TigeraSecureEnterprise' }));
  const release = (version: string, operator: string, manifests: Record<string, Manifest>) =>
    calicoOf({ version, operator, manifests });
  expect(release('v3.22.2', 'v1.40.6', enterprise)).toBe('v3.31.0');
  // Not read, but its operator is known.
  expect(release('v3.21.9', 'v1.38.99', enterprise)).toBe('v3.30.0');
  expect(release('v3.20.1', 'v1.37.4', enterprise)).toBeNull();
  expect(release('v3.31.4', 'v1.40.7', {})).toBe('v3.31.4');
});

test('the tables agree: a release of Enterprise is built from the Calico of its operator’s train', () => {
  for (const { operator, calico } of enterpriseReleases) expect(calicoMinorOfOperator(operator)).toBe(calico);
  for (const { operator } of operatorTrains) expect(isEnterpriseTrain(`v${operator}.0`)).toBe(false);
  expect(isEnterpriseTrain('v1.39.2')).toBe(true);
  expect([undefined, null, 'Calico', ''].map(isEnterprise)).toEqual([false, false, false, false]);
});
