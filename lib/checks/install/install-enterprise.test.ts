import { expect, test } from 'vitest';
import type { Choices, ReleaseContents } from '#lib/spec/index.ts';
import { runChecks } from '../framework/run-checks.ts';
import { aFacts, aNode, someChoices, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';
import { installEnterprise } from './install-enterprise.ts';

const id = 'install.enterprise';

function withVariant(variant: unknown) {
  const facts = aFacts();
  const installation = {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default' },
    spec: variant === undefined ? {} : { variant },
  };
  return {
    ...facts,
    resources: { ...facts.resources, objects: { ...facts.resources.objects, 'Installation/default': installation } },
  };
}

test.each([
  ['Calico', 'pass'],
  [undefined, 'pass'],
  ['TigeraSecureEnterprise', 'unknown'],
  // As operators from Calico v3.33 on write it.
  ['CalicoEnterprise', 'unknown'],
])('enabling where the Installation asks for %s: %s', (variant, expected) => {
  expect(find(id, withVariant(variant)).status).toBe(expected);
});

test('an upgrade of Enterprise is refused: its versions are not Calico’s', () => {
  expect(find(id, withVariant('TigeraSecureEnterprise'), { goal: 'upgrade' })).toMatchObject({
    status: 'fail',
    severity: 'blocking',
    because: expect.stringMatching(/^Installation\/default asks for TigeraSecureEnterprise.*not those of Calico/),
  });
});

const release = (variant: string): ReleaseContents => ({
  version: 'v3.22.2',
  operator: 'v1.40.6',
  source: 'the folder /srv/enterprise',
  manifests: {
    'custom-resources.yaml': {
      version: 'v3.22.2',
      file: 'custom-resources.yaml',
      sha256: '0'.repeat(64),
      objects: [
        { apiVersion: 'operator.tigera.io/v1', kind: 'Installation', metadata: { name: 'default' }, spec: { variant } },
      ],
    },
  },
});

test.each<[string, Partial<Choices>, ReleaseContents | undefined, string]>([
  ['nothing said', {}, undefined, 'pass'],
  ['by the files of the release', {}, release('TigeraSecureEnterprise'), 'unknown'],
  ['by files of Calico', {}, release('Calico'), 'pass'],
  ['by the document', { installation: { variant: 'TigeraSecureEnterprise' } }, release('Calico'), 'unknown'],
  ['by a single field', { set: { variant: 'TigeraSecureEnterprise' } }, undefined, 'unknown'],
  ['by a field against the files', { set: { variant: 'Calico' } }, release('TigeraSecureEnterprise'), 'pass'],
])('installing, %s: %s', (_, answers, target, expected) => {
  const facts = aFacts({ installation: { method: 'none' } });
  const files = target === undefined ? {} : { target };
  expect(installEnterprise.run(facts, someChoices({ goal: 'install', ...answers }), files).kind).toBe(expected);
});

test('not read is not known', () => {
  expect(find(id, uncover(aFacts(), 'installation')).status).toBe('unknown');
});

test('a manifest never installs it', () => {
  expect(find(id, aFacts({ installation: { method: 'manifest-kdd' } })).status).toBe('skipped');
});

test('what is known of Calico by a version of Enterprise’s number is not said of Enterprise', () => {
  const node = aNode({ kernel: '6.12.60' });
  const facts = aFacts({ nodes: [node], installation: { method: 'none' } });
  const findingFor = (target: ReleaseContents) => {
    const choices = someChoices({ goal: 'install', release: 'v3.22.2' });
    const { findings } = runChecks(facts, choices, { now: '2026-11-21T00:00:00Z', files: { target } });
    return findings.find((finding) => finding.id === 'node.kernel-known-bad')?.status;
  };
  expect(findingFor(release('Calico'))).toBe('fail');
  // Built from v3.31, of which some patches are bad with this kernel.
  expect(findingFor(release('TigeraSecureEnterprise'))).toBe('unknown');
});
