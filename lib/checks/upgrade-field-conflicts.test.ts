import { expect, test } from 'vitest';
import { definitionsOf } from '#lib/spec/index.ts';
import { aFacts, uncover } from './testing/a-facts.ts';
import { aDefinition, findUpgrading } from './testing/an-upgrade.ts';
import { subjectLines } from './testing/find.ts';

const id = 'upgrade.field-conflicts';
const name = 'ippools.crd.projectcalico.org';
const current = definitionsOf('v3.31.4')?.fingerprints[name] ?? '';

const written = (manager: string, fields = ['spec.group', 'spec.versions'], fingerprint = 'old') => ({
  upgrade: {
    definitions: [aDefinition({ name, fingerprint, writers: [{ manager, operation: 'Update', fields }] })],
  },
});

test.each([
  ['kubectl-client-side-apply', 'applied them by hand'],
  ['helm', 'the next helm upgrade'],
  ['operator', 'until it is replaced'],
  ['kustomize-controller', 'change it at its source'],
])('what %s wrote and the upgrade changes is a conflict: %s', (manager, advice) => {
  const finding = findUpgrading(id, { facts: written(manager) });
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning' });
  expect(finding.because).toBe(`${manager} owns spec.versions of 1 definition that the upgrade changes.`);
  expect(subjectLines(finding)).toEqual([`CustomResourceDefinition ${name}: spec.versions by ${manager} (Update)`]);
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
    because: expect.stringMatching(/^helm wrote definitions\. Whether v3\.31\.7 changes them is not known here/),
  });
});

test('unread is unknown; without Calico it does not apply', () => {
  expect(findUpgrading(id, { facts: uncover(aFacts(), 'definitions') }).status).toBe('unknown');
  expect(findUpgrading(id, { facts: { installation: { method: 'none' } } }).status).toBe('skipped');
});
