import { expect, test } from 'vitest';
import type { FileStanding, ReleaseContents } from '#lib/spec/index.ts';
import { releaseCache, type WantedContents } from './release-cache.ts';

const wanted = (version: string, from: WantedContents['from'] = 'public'): WantedContents => ({
  version,
  source: null,
  from,
  airGapped: false,
  platform: 'generic',
});

const contents = (version: string, standing: FileStanding): ReleaseContents => ({
  version,
  operator: 'v1.40.15',
  source: 'a mirror',
  manifests: {
    'tigera-operator.yaml': { version, file: 'tigera-operator.yaml', sha256: '0'.repeat(64), objects: [], standing },
  },
});

function cache(standing: FileStanding) {
  return releaseCache({
    env: {},
    stateFolder: null,
    log: () => undefined,
    signal: new AbortController().signal,
    openFiles: async ({ version }) => contents(version, standing),
  });
}

const says = (version: string) => `No published checksum is known for ${version}: its files are not verified.`;

test('before its files are here, a release says that they cannot be verified', () => {
  const { progress } = cache('unpinned');
  expect(progress(wanted('v3.31.9'))).toMatchObject({ kind: 'not-asked', notice: says('v3.31.9') });
  expect(progress(wanted('v3.33.1', 'mirror'))).toMatchObject({ notice: says('v3.33.1') });
  expect(progress(wanted('v3.31.7'))).toMatchObject({ notice: null });
  expect(progress(wanted('v3.31.9', 'sandbox'))).toMatchObject({ notice: null });
});

test.each<[string, FileStanding, string | null]>([
  ['v3.31.9', 'unpinned', says('v3.31.9')],
  ['v3.31.7', 'published', null],
  ['v3.31.7', 'changed', 'tigera-operator.yaml is not the file published with v3.31.7: it was changed.'],
])('once its files are here: %s, %s', async (version, standing, notice) => {
  const one = cache(standing);
  await one.open(wanted(version));
  expect(one.progress(wanted(version))).toMatchObject({ kind: 'open', notice });
});

test('custom resources of a file stand in the place of those of the release, in a sandbox too; each text is opened by itself', async () => {
  const { open } = cache('published');
  const own = (variant: string) =>
    `apiVersion: operator.tigera.io/v1\nkind: Installation\nmetadata:\n  name: default\nspec:\n  variant: ${variant}\n`;
  const specOf = async (customResources?: string) => {
    const given = customResources === undefined ? {} : { customResources };
    const { manifests } = await open({ ...wanted('v3.31.4', 'sandbox'), ...given });
    return manifests['custom-resources.yaml']?.objects[0]?.spec;
  };
  expect(await specOf(own('TigeraSecureEnterprise'))).toEqual({ variant: 'TigeraSecureEnterprise' });
  expect(await specOf(own('Calico'))).toEqual({ variant: 'Calico' });
  expect(await specOf()).toHaveProperty('calicoNetwork');
});
