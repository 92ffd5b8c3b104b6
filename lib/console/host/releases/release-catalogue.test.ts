import { expect, test } from 'vitest';
import { releaseToInstall } from '#lib/spec/index.ts';
import { filesNeeded, releaseCatalogue } from './release-catalogue.ts';

test.each([null, 'v1.33.1', 'v1.36.0', 'a build of ours'])(
  'on Kubernetes %s exactly one is proposed, with its reason: the one that a draft begins with',
  (kubernetes) => {
    const proposed = releaseCatalogue(kubernetes).filter(({ standing }) => standing === 'proposed');
    expect(proposed.map(({ version }) => version)).toEqual([releaseToInstall(kubernetes)]);
    expect(proposed[0]?.because).toMatch(/newest patch/);
    expect(proposed[0]?.advice.map(({ action }) => action)).not.toContain('block');
  },
);

test('the release of the specification can be chosen, and says what later ones fixed', () => {
  const offer = releaseCatalogue('v1.33.1').find(({ version }) => version === 'v3.31.4');
  expect(offer).toMatchObject({ standing: 'described' });
  expect(offer?.advice.map(({ gate }) => gate)).toContain('V12');
});

test.each([
  ['v3.31.4', 'kubeadm', ['tigera-operator.yaml', 'operator-crds.yaml', 'custom-resources.yaml']],
  ['v3.27.5', 'kubeadm', ['tigera-operator.yaml', 'custom-resources.yaml']],
  ['v3.31.4', 'openshift', ['ocp.tgz']],
] as const)('%s on %s needs %j', (version, platform, files) => {
  expect(filesNeeded(version, platform).toSorted()).toEqual([...files].toSorted());
});
