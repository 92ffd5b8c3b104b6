import { expect, test } from 'vitest';
import { definitionsOf } from '#lib/spec/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { aDefinition, aRelease, findUpgrading } from '../testing/an-upgrade.ts';
import { subjectLines } from '../testing/find.ts';

const id = 'upgrade.field-conflicts';
const name = 'ippools.crd.projectcalico.org';
const current = definitionsOf('v3.31.4')?.fingerprints[name] ?? '';

const written = (manager: string, fields = ['spec.group', 'spec.versions'], fingerprint = 'old') => ({
  upgrade: {
    definitions: [aDefinition({ name, fingerprint, writers: [{ manager, operation: 'Update', fields }] })],
  },
});

test.each([
  ['kubectl-client-side-apply', 'applied by hand'],
  ['helm', 'the next helm upgrade'],
  ['operator', 'until it is replaced'],
  ['kustomize-controller', 'change it at its source'],
])('what %s wrote and the upgrade changes is a conflict: %s', (manager, advice) => {
  const finding = findUpgrading(id, { facts: written(manager) });
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning' });
  expect(finding.because).toBe(`${manager} owns spec.versions of 1 definition that the upgrade changes.`);
  expect(subjectLines(finding)).toEqual([`CustomResourceDefinition ${name}: ${manager} (Update) owns spec.versions`]);
  expect(finding.remedy.steps[0]).toContain(advice);
});

test.each([
  ['nobody else wrote it', written('signalbox')],
  ['the schema stays as it is', written('helm', ['spec.versions'], current)],
  ['another field', written('helm', ['spec.names'])],
])('%s: no conflict there, and the rest is told by a dry run', (_name, facts) => {
  const finding = findUpgrading(id, { facts });
  expect(finding.status).toBe('unknown');
  expect(finding.because).toContain('known only when the server tries them without force');
  expect(finding.remedy.command).toContain('--dry-run=server');
});

test('without the files of the target, who wrote definitions is told, and no more', () => {
  expect(findUpgrading(id, { to: 'v3.31.7', facts: written('helm') })).toMatchObject({
    status: 'unknown',
    because: expect.stringMatching(
      /^helm wrote definitions\. The files of v3\.31\.7 were not read: not verified whether it changes them/,
    ),
  });
});

test('unread is unknown; without Calico it does not apply', () => {
  expect(findUpgrading(id, { facts: uncover(aFacts(), 'definitions') }).status).toBe('unknown');
  expect(findUpgrading(id, { facts: { installation: { method: 'none' } } }).status).toBe('skipped');
});

const target = aRelease('v3.31.4', 'tigera-operator.yaml', []);
const operator = 'tigera-operator/Deployment/tigera-operator';

test('where the server tried them, its word counts: each conflict with its manager and field', () => {
  const finding = findUpgrading(id, {
    facts: written('helm', ['spec.versions'], current),
    files: {
      target,
      tried: [
        { object: operator, conflicts: [{ manager: 'helm', field: '.spec.replicas' }] },
        { object: `CustomResourceDefinition/${name}`, conflicts: [{ manager: 'helm', field: '.spec.versions' }] },
        { object: 'ClusterRole/tigera-operator', conflicts: [] },
      ],
    },
  });
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning' });
  expect(finding.because).toBe('helm owns 2 fields of 2 objects that the upgrade changes.');
  expect(subjectLines(finding)).toEqual([
    'Deployment tigera-operator/tigera-operator: helm owns .spec.replicas',
    `CustomResourceDefinition ${name}: helm owns .spec.versions`,
  ]);
});

test('who owns what is looked at where it is: each object by its name, definitions together', () => {
  const owned = (object: string) => ({ object, conflicts: [{ manager: 'helm', field: '.spec' }] });
  const commandFor = (...objects: string[]) =>
    findUpgrading(id, { files: { target, tried: objects.map(owned) } }).remedy.command;
  const ofOperator = 'kubectl get -n tigera-operator deployment tigera-operator -o yaml --show-managed-fields';
  expect(commandFor(operator)).toBe(ofOperator);
  expect(commandFor(operator, `CustomResourceDefinition/${name}`)).toMatch(
    new RegExp(`^kubectl get customresourcedefinitions .*\\n${ofOperator}$`),
  );
});

test('where Helm upgrades, only the definitions are taken by force', () => {
  const tried = [{ object: operator, conflicts: [{ manager: 'kubectl-edit', field: '.spec.replicas' }] }];
  const definition = { object: `CustomResourceDefinition/${name}`, conflicts: [] };
  const findingBy = (method: 'helm' | 'operator') =>
    findUpgrading(id, { facts: { installation: { method } }, files: { target, tried: [...tried, definition] } }).status;
  expect([findingBy('helm'), findingBy('operator')]).toEqual(['pass', 'fail']);
});

test('a field that its manager owns by two entries is listed once', () => {
  const conflicts = ['.spec.replicas', '.spec.template', '.spec.replicas', '.spec.template'];
  const finding = findUpgrading(id, {
    files: { target, tried: [{ object: operator, conflicts: conflicts.map((field) => ({ manager: 'helm', field })) }] },
  });
  expect(finding.because).toBe('helm owns 2 fields of 1 object that the upgrade changes.');
  expect(subjectLines(finding)).toEqual([
    'Deployment tigera-operator/tigera-operator: helm owns .spec.replicas and .spec.template',
  ]);
  expect(finding.evidence).toHaveLength(2);
});

test('what an earlier run of ours left is nobody else’s', () => {
  const conflicts = [{ manager: 'signalbox', field: '.rules' }];
  const tried = [{ object: 'ClusterRole/tigera-operator', conflicts }];
  expect(findUpgrading(id, { files: { target, tried } }).status).toBe('pass');
});

test('it passes when the server takes all of them, and not when one could not be tried', () => {
  const fine = { object: operator, conflicts: [] };
  expect(findUpgrading(id, { files: { target, tried: [fine] } })).toMatchObject({
    status: 'pass',
    because: 'The server takes every object of v3.31.4 without force: 1 was tried.',
  });
  const refused = { object: 'ClusterRole/tigera-operator', unknown: 'You may not patch clusterroles.' };
  const finding = findUpgrading(id, { files: { target, tried: [fine, refused] } });
  expect(finding.status).toBe('unknown');
  expect(finding.because).toContain('could not be tried without force. You may not');
  expect(subjectLines(finding)).toEqual(['ClusterRole tigera-operator: You may not patch clusterroles.']);
  // A dry run with the files of another release decides nothing about this one.
  const other = { ...target, version: 'v3.30.7' };
  expect(findUpgrading(id, { files: { target: other, tried: [fine] } }).status).toBe('unknown');
});
