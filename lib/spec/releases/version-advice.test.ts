import { expect, test } from 'vitest';
import { calicoReleases } from './calico-releases.ts';
import { isPinned } from './pinned-releases.ts';
import { releaseToInstall, versionAdvice } from './version-advice.ts';

test.each([
  ['v3.31.7', 'proposed', /^The newest patch of v3\.31/],
  ['v3.31.4', 'described', /written for\. v3\.31\.7 has what was fixed since/],
  ['v3.31.2', 'older', /Use v3\.31\.4 or later/],
  ['v3.30.3', 'older', /.+/],
  ['v3.33.1', 'usable', /No known fault/],
  ['v3.99.0', 'unknown', /^Nothing was read of v3\.99\.0/],
])('%s is %s', (version, standing, because) => {
  const advice = versionAdvice(version, 'v1.34.1');
  expect(advice.standing).toBe(standing);
  expect(advice.because).toMatch(because);
});

test('one release is proposed, and every one has a sentence', () => {
  const advice = calicoReleases.map(({ version }) => versionAdvice(version, null));
  expect(advice.filter(({ standing }) => standing === 'proposed')).toHaveLength(1);
  for (const { because, kubernetes } of advice)
    for (const text of [because, kubernetes.because]) expect(text).toMatch(/\.$/);
});

test.each([
  ['v1.34.2+k3s1', 'yes', 'v3.31 is tested with Kubernetes v1.32 to v1.35.'],
  ['v1.36.3', 'no', 'v3.31 is tested with Kubernetes v1.32 to v1.35; v1.36 runs here, which is not tested.'],
  ['v1.31.0', 'no', expect.stringContaining('v1.31 runs here')],
  [null, 'unknown', 'v3.31 is tested with Kubernetes v1.32 to v1.35; the version that runs here was not read.'],
  ['main', 'unknown', expect.stringContaining('the version that runs here was not read')],
])('on Kubernetes %s: %s', (kubernetes, tested, because) => {
  expect(versionAdvice('v3.31.4', kubernetes).kubernetes).toEqual({ tested, because });
});

test('what goes wrong on other versions of Kubernetes is left out', () => {
  const ids = (kubernetes: string | null) => versionAdvice('v3.28.4', kubernetes).gates.map(({ id }) => id);
  expect(ids('v1.24.9')).toContain('V7');
  expect(ids(null)).toContain('V7');
  expect(ids('v1.30.0')).not.toContain('V7');
});

test.each([
  [null, /^v3\.31\.\d+$/],
  ['v1.33.1', /^v3\.31\.\d+$/],
  ['v1.34.4-eks-a737599', /^v3\.31\.\d+$/],
  // v3.32.3 is tested with it, and its files cannot be verified.
  ['v1.36.0', /^v3\.31\.\d+$/],
  ['v1.99.0', /^v3\.31\.\d+$/],
  ['a build of ours', /^v3\.31\.\d+$/],
])('on Kubernetes %s, %s is proposed, which nothing blocks', (kubernetes, expected) => {
  const version = releaseToInstall(kubernetes);
  expect(version).toMatch(expected);
  const { standing, gates } = versionAdvice(version, kubernetes);
  expect(standing).toBe('proposed');
  expect(gates.map(({ action }) => action)).not.toContain('block');
  expect(isPinned(version)).toBe(true);
});
