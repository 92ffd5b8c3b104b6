import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { definitionsOf } from '#lib/spec/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { aDefinition, aRelease, findUpgrading } from '../testing/an-upgrade.ts';
import { subjectLines } from '../testing/find.ts';

const definitionsAt = (release: string): Facts['upgrade']['definitions'] =>
  Object.entries(definitionsOf(release)?.fingerprints ?? {}).map(([name, fingerprint]) =>
    aDefinition({ name, fingerprint }),
  );
const at = (release: string) => ({ upgrade: { definitions: definitionsAt(release) } });

test('the definitions of the target pass', () => {
  expect(findUpgrading('upgrade.crd-behind', { facts: at('v3.31.4') })).toMatchObject({
    status: 'pass',
    because: 'All 32 definitions are those of v3.31.4.',
  });
});

test('those of the release before are told, with those that are new', () => {
  const finding = findUpgrading('upgrade.crd-behind', { from: 'v3.27.5', facts: at('v3.27.5') });
  expect(finding).toMatchObject({ status: 'fail', severity: 'info' });
  expect(finding.because).toMatch(/^\d+ definitions of 32 change with v3\.31\.4, 10 of them are new: /);
  expect(subjectLines(finding)).toContain(
    'CustomResourceDefinition goldmanes.operator.tigera.io: is not there, v3.31.4 brings it',
  );
});

test('one is enough', () => {
  const definitions = definitionsAt('v3.31.4').map((one, index) => (index === 3 ? { ...one, fingerprint: 'x' } : one));
  const finding = findUpgrading('upgrade.crd-behind', { facts: { upgrade: { definitions } } });
  expect(finding.subjects).toHaveLength(1);
  expect(finding.because).toMatch(/^1 definition of 32 changes with v3\.31\.4: /);
});

test('a manifest needs none of the operator; etcd none at all', () => {
  const facts = { ...at('v3.31.4'), installation: { method: 'manifest-kdd' } } as const;
  const own = facts.upgrade.definitions.filter(({ name }) => !name.endsWith('.operator.tigera.io'));
  const finding = findUpgrading('upgrade.crd-behind', { facts: { ...facts, upgrade: { definitions: own } } });
  expect(finding).toMatchObject({ status: 'pass', because: 'All 24 definitions are those of v3.31.4.' });
  const etcd = { installation: { method: 'manifest-etcd' } } as const;
  expect(findUpgrading('upgrade.crd-behind', { facts: etcd }).status).toBe('skipped');
});

test('of a release whose files were not read it is unknown; with its files at hand they decide', () => {
  expect(findUpgrading('upgrade.crd-behind', { to: 'v3.31.7', facts: at('v3.31.4') })).toMatchObject({
    status: 'unknown',
    because: 'The files of v3.31.7 were not read: definitions not compared.',
  });
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'installations.operator.tigera.io' },
    spec: { versions: [{ name: 'v1', served: true, storage: true, schema: {} }] },
  };
  const target = aRelease('v3.31.7', 'operator-crds.yaml', [definition]);
  const finding = findUpgrading('upgrade.crd-behind', { to: 'v3.31.7', facts: at('v3.31.4'), files: { target } });
  expect(subjectLines(finding)).toEqual([
    'CustomResourceDefinition installations.operator.tigera.io: its schema is not that of v3.31.7',
  ]);
  // Files of another release say nothing.
  const other = { target: { ...target, version: 'v3.31.6' } };
  const facts = at('v3.31.4');
  expect(findUpgrading('upgrade.crd-behind', { to: 'v3.31.7', facts, files: other }).status).toBe('unknown');
});

test('what every release of then must bring is known without its files', () => {
  const finding = findUpgrading('upgrade.crd-behind', { from: 'v3.27.5', to: 'v3.31.7', facts: at('v3.27.5') });
  expect(finding).toMatchObject({ status: 'fail', severity: 'info' });
  expect(finding.because).toMatch(
    /^3 definitions of v3\.31\.7 are not there: .* Changes of the others were not read\.$/,
  );
  expect(finding.remedy.command).toMatch(/operator-crds\.yaml -f .*tigera-operator\.yaml$/);
});

test('what was not read is not missing', () => {
  const facts = uncover(aFacts(), 'definitions');
  expect(findUpgrading('upgrade.crd-behind', { facts })).toMatchObject({ status: 'unknown', subjects: [] });
});

test('on OpenShift the operator brings them: there is nothing to compare', () => {
  const target = aRelease('v3.31.7', 'tigera-operator-ocp-upgrade.yaml', []);
  expect(findUpgrading('upgrade.crd-behind', { to: 'v3.31.7', files: { target } }).status).toBe('skipped');
});
