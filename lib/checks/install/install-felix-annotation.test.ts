import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const felix = (bpfEnabled: boolean | undefined, annotation: string | undefined) => {
  const facts = aFacts();
  const object = {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: {
      name: 'default',
      annotations: annotation === undefined ? {} : { 'operator.tigera.io/bpfEnabled': annotation },
    },
    spec: bpfEnabled === undefined ? {} : { bpfEnabled },
  };
  return {
    ...facts,
    resources: { ...facts.resources, objects: { ...facts.resources.objects, 'FelixConfiguration/default': object } },
  };
};

test.each([
  [undefined, undefined, 'pass'],
  [false, 'false', 'pass'],
  [true, 'true', 'pass'],
  [true, undefined, 'fail'],
  [false, undefined, 'fail'],
  [undefined, 'false', 'fail'],
  [true, 'false', 'fail'],
])('bpfEnabled %s, annotation %s: %s', (bpfEnabled, annotation, expected) => {
  expect(find('install.felix-annotation', felix(bpfEnabled, annotation)).status).toBe(expected);
});

test('both values are said, and the plan can fix it', () => {
  const finding = find('install.felix-annotation', felix(true, undefined), { fix: ['install.felix-annotation'] });
  expect(finding.because).toBe(
    'In FelixConfiguration default bpfEnabled is true, and the annotation is not there: the operator did not write one of them.',
  );
  expect(finding.fixedBy).toBe('felix.annotation');
});

test('no FelixConfiguration passes, an unread one is unknown, a manifest install is skipped', () => {
  expect(
    find('install.felix-annotation', { resources: { objects: { 'FelixConfiguration/default': null } } }).status,
  ).toBe('pass');
  expect(find('install.felix-annotation', uncover(aFacts(), 'felix')).status).toBe('unknown');
  expect(find('install.felix-annotation', { installation: { method: 'manifest-kdd' } }).status).toBe('skipped');
});
