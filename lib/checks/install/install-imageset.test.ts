import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';
import { subjectLines } from '../testing/find.ts';

const imageset = (imageSets: string[], more = {}) =>
  findUpgrading('install.imageset', { facts: { upgrade: { imageSets }, ...more } });

test.each<[string, string[], string]>([
  ['none', [], 'pass'],
  ['that of the target', ['calico-v3.31.4'], 'pass'],
  ['those of both', ['calico-v3.30.7', 'calico-v3.31.4'], 'pass'],
  ['that of what runs', ['calico-v3.30.7'], 'fail'],
  ['that of an add-on', ['calico-v3.26.3'], 'fail'],
  ["another product's", ['enterprise-v3.22.2'], 'pass'],
])('%s: %j, %s', (_name, imageSets, status) => {
  expect(imageset(imageSets)).toMatchObject({ status, severity: 'blocking' });
});

test('it says what is there, what is needed and what to do', () => {
  const finding = imageset(['calico-v3.26.3']);
  expect(finding.because).toBe('1 ImageSet is of another version (calico-v3.26.3), and there is no calico-v3.31.4.');
  expect(subjectLines(finding)).toEqual(['ImageSet calico-v3.26.3: not of v3.31.4']);
  expect(finding.remedy.steps[0]).toContain('Make an ImageSet calico-v3.31.4');
  expect(imageset(['calico-v3.26.3'], { platform: { kind: 'aks' } }).remedy.steps[0]).toContain('On AKS');
});

test('with a hop the release on the way needs its own, too', () => {
  const bpf = { wanted: 'BPF' as const, actual: 'BPF' as const };
  const vxlan = {
    name: 'pods',
    cidr: '10.48.0.0/16',
    encapsulation: 'VXLAN' as const,
    natOutgoing: true,
    disabled: false,
  };
  const withSets = (imageSets: string[]) =>
    findUpgrading('install.imageset', {
      from: 'v3.30.4',
      facts: { upgrade: { imageSets }, installation: { dataplane: bpf }, pools: [vxlan] },
    });
  const both = ['calico-v3.30.4', 'calico-v3.31.4'];
  expect(withSets(both).because).toBe(
    '1 ImageSet is of another version (calico-v3.30.4), and there is no calico-v3.30.7.',
  );
  expect(withSets(['calico-v3.31.4']).because).toBe('There is no ImageSet calico-v3.30.7, by which the upgrade goes.');
  expect(withSets([...both, 'calico-v3.30.7'])).toMatchObject({ status: 'pass' });
});

test('unread is unknown, a proposal that nobody accepted is no pass, a manifest reads none', () => {
  expect(findUpgrading('install.imageset', { facts: uncover(aFacts(), 'imageSets') }).status).toBe('unknown');
  const { release: _, ...choices } = { release: 'v3.31.4' };
  expect(findUpgrading('install.imageset', { choices: { ...choices, acceptProposals: true } }).status).toBe('pass');
  expect(imageset(['calico-v3.26.3'], { installation: { method: 'manifest-kdd' } }).status).toBe('skipped');
});
