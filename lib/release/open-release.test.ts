import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { openManifest } from './manifest/open-manifest.ts';
import { openRelease, type WantedRelease } from './open-release.ts';

const calico = process.env.SIGNALBOX_CALICO_DIR ?? '';

let folder: string;
/** One for all, so that the large files are parsed once: they take a second or two. */
let cache: string;
const cacheKey = randomBytes(32);
const signal = new AbortController().signal;
const noNetwork = () => Promise.reject(new Error('a socket was opened'));

beforeAll(() => {
  cache = testFolder('release-cache');
});

beforeEach(() => {
  folder = testFolder('release');
});

const open = (wanted: WantedRelease, env: Record<string, string> = {}) =>
  openRelease(wanted, { env: { SIGNALBOX_CACHE: cache, ...env }, cacheKey, fetch: noNetwork, signal });

const operators = { 'v3.31.4': 'v1.40.7', 'v3.30.7': 'v1.38.13', 'v3.27.5': 'v1.32.12', 'v3.24.6': 'v1.28.5' };

test.skipIf(!calico).each(Object.entries(operators))('%s as published is whole', async (version, operator) => {
  const release = await open({ version }, { SIGNALBOX_CALICO_DIR: calico });
  expect(release).toMatchObject({ version, operator, source: `the folder ${join(calico, version)}` });
  const files = Object.keys(release.manifests);
  expect(files).toContain('tigera-operator.yaml');
  expect(files.includes('operator-crds.yaml')).toBe(!['v3.27.5', 'v3.24.6'].includes(version));
  expect(files.includes('custom-resources-bpf.yaml')).toBe(version === 'v3.31.4');
  const crds = release.manifests['operator-crds.yaml'] ?? release.manifests['tigera-operator.yaml'];
  const named = crds?.objects.filter(({ kind }) => kind === 'CustomResourceDefinition').length;
  expect(named).toBe({ 'v3.24.6': 21, 'v3.27.5': 22 }[version] ?? 32);
});

test.skipIf(!calico)('the same from the folder of the release itself, and without its v', async () => {
  const release = await open({ version: '3.31.4', source: join(calico, 'v3.31.4') });
  expect(release.source).toBe(`the folder ${join(calico, 'v3.31.4')}`);
});

test.skipIf(!calico)('a source that is named comes before SIGNALBOX_CALICO_DIR', async () => {
  const env = { SIGNALBOX_CALICO_DIR: join(folder, 'nowhere') };
  expect(await open({ version: 'v3.31.4', source: calico }, env)).toMatchObject({ operator: 'v1.40.7' });
});

test.skipIf(!calico)('a release in the place of another is refused', async () => {
  await expect(open({ version: 'v3.31.4', source: join(calico, 'v3.30.7') })).rejects.toMatchObject({
    code: 'release.invalid',
    message: expect.stringContaining('holds operator v1.38.13, which installs Calico v3.30.7, not v3.31.4.'),
  });
});

test.skipIf(!calico)(
  'the upgrade of OpenShift takes one file, which must be whole and hold the operator of the release',
  async () => {
    const manifest = 'tigera-operator-ocp-upgrade.yaml';
    const release = await open({ version: 'v3.31.4', source: calico, platform: 'openshift', manifest });
    expect(release.operator).toBe('v1.40.7');
    expect(Object.entries(release.manifests).map(([file, { standing }]) => [file, standing])).toEqual([
      [manifest, 'published'],
    ]);
    const to = join(folder, 'v3.30.7');
    await mkdir(to, { recursive: true });
    await cp(join(calico, 'v3.31.4', manifest), join(to, manifest));
    const inPlaceOf = open({ version: 'v3.30.7', source: folder, platform: 'openshift', manifest });
    await expect(inPlaceOf).rejects.toThrow('holds operator v1.40.7, which installs Calico v3.31.4, not v3.30.7');
    await writeFile(join(to, manifest), 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: tigera-operator\n');
    const cut = open({ version: 'v3.30.7', source: folder, platform: 'openshift', manifest });
    await expect(cut).rejects.toThrow('lacks ServiceAccount tigera-operator');
  },
);

test.skipIf(!calico)(
  'of an installation by manifest its file is enough, and the agents in it say of which release it is',
  async () => {
    const at = async (version: string, file = 'calico.yaml') => {
      const to = join(folder, version);
      await mkdir(to, { recursive: true });
      await cp(join(calico, 'v3.31.4', file), join(to, file));
      return open({ version, source: folder, manifest: file });
    };
    const release = await at('v3.31.4');
    expect(release).toMatchObject({ version: 'v3.31.4', operator: 'v1.40.7' });
    expect(Object.entries(release.manifests).map(([file, { standing }]) => [file, standing])).toEqual([
      ['calico.yaml', 'published'],
    ]);
    // As it was published: with agents of the release before.
    const odd = await open({ version: 'v3.24.6', source: calico, manifest: 'calico.yaml' });
    expect(Object.values(odd.manifests).map(({ standing }) => standing)).toEqual(['published']);
    await expect(at('v3.31.7')).rejects.toMatchObject({
      code: 'release.invalid',
      message: expect.stringMatching(/calico\.yaml of v3\.31\.7 in .* runs agents of v3\.31\.4\. Name the source/),
    });
    await expect(open({ version: 'v3.31.4', source: folder, manifest: 'canal.yaml' })).rejects.toMatchObject({
      code: 'release.missing',
      message: expect.stringContaining('Put canal.yaml into'),
    });
  },
);

test.skipIf(!calico)('a manifest is opened again by its checksum, also when the folder is gone', async () => {
  await cp(join(calico, 'v3.31.4'), join(folder, 'v3.31.4'), { recursive: true });
  const env = { SIGNALBOX_CACHE: cache };
  const release = await open({ version: 'v3.31.4', source: folder });
  const manifest = release.manifests['tigera-operator.yaml'];
  if (!manifest) throw new Error('no manifest');
  await rm(join(folder, 'v3.31.4'), { recursive: true, force: true });
  const { standing: _standing, ...opened } = manifest;
  expect(await openManifest(manifest, { env, cacheKey, fetch: noNetwork, signal })).toEqual(opened);
  // If the parsed copies are missing or damaged, the file is parsed again, with the same result.
  const kept = join(cache, 'signalbox/releases/sha256');
  for (const name of await readdir(kept))
    if (name.startsWith(`${manifest.sha256}.`)) await writeFile(join(kept, name), 'x\n[]');
  expect(await openManifest(manifest, { env, cacheKey, fetch: noNetwork, signal })).toEqual(opened);
  // Nor does it need a key.
  expect(await openManifest(manifest, { env, fetch: noNetwork, signal })).toEqual(opened);
});

test.skipIf(!calico)('a run does not go on with another file than the one it began with', async () => {
  await cp(join(calico, 'v3.31.4'), folder, { recursive: true });
  const first = (await open({ version: 'v3.31.4', source: folder })).manifests['custom-resources.yaml'];
  if (!first) throw new Error('no manifest');
  await writeFile(join(folder, 'custom-resources.yaml'), '# edited\n', { flag: 'a' });
  const env = { SIGNALBOX_CACHE: join(folder, 'another-cache') };
  await expect(openManifest(first, { env, source: folder, fetch: noNetwork, signal })).rejects.toMatchObject({
    code: 'release.changed',
    message: expect.stringContaining(`${first.sha256} was expected`),
  });
});

/** What is done to which file, and what the sentence must say. */
const damages: readonly [name: string, file: string, edit: (text: string) => string, says: RegExp][] = [
  ['empty', 'custom-resources.yaml', () => '', /custom-resources\.yaml .* holds no object at all/],
  ['only a comment', 'custom-resources.yaml', () => '# nothing\n---\n', /holds no object at all/],
  [
    'cut short',
    'tigera-operator.yaml',
    (text) => text.slice(0, text.indexOf('kind: Deployment')),
    /tigera-operator\.yaml .*(?:this|an object|lacks)/,
  ],
  [
    'cut at a document',
    'tigera-operator.yaml',
    (text) => text.slice(0, text.lastIndexOf('\n---')),
    /tigera-operator\.yaml .* lacks Deployment tigera-operator in namespace tigera-operator/,
  ],
  [
    'no Installation',
    'custom-resources.yaml',
    (text) => text.replace('kind: Installation', 'kind: Other'),
    /custom-resources\.yaml .* lacks Installation default/,
  ],
  [
    'another name',
    'custom-resources.yaml',
    (text) => text.replace('name: default', 'name: other'),
    /lacks Installation default/,
  ],
  [
    'another group',
    'custom-resources.yaml',
    (text) => text.replaceAll('operator.tigera.io/v1\nkind', 'example.com/v1\nkind'),
    /lacks Installation default, APIServer default/,
  ],
  [
    'no apiVersion',
    'custom-resources.yaml',
    (text) => text.replace('apiVersion:', 'version:'),
    /line \d+: this Installation has no apiVersion/,
  ],
  [
    'no kind',
    'custom-resources.yaml',
    (text) => text.replace('kind: APIServer', 'sort: APIServer'),
    /line \d+: an object has no kind/,
  ],
  [
    'no name',
    'custom-resources.yaml',
    (text) => text.replace('  name: default', '  title: default'),
    /this Installation has no metadata.name/,
  ],
  [
    'an object twice',
    'custom-resources.yaml',
    (text) => `${text}\n---\n${text}`,
    /Installation default stands in it twice/,
  ],
  [
    'a field twice',
    'custom-resources.yaml',
    (text) => text.replace('spec: {}', 'spec: {}\nspec: {}'),
    /line \d+: the field spec stands there twice/,
  ],
  ['an alias', 'custom-resources.yaml', (text) => text.replace('spec: {}', 'spec: &a {}\nmore: *a'), /\*a is an alias/],
  ['no YAML', 'custom-resources.yaml', (text) => text.replace('spec: {}', 'spec: {'), /line \d+: it is not YAML/],
  [
    'a web page',
    'tigera-operator.yaml',
    () => '<!DOCTYPE html>\n<html><body>Sign in</body></html>\n',
    /tigera-operator\.yaml of v3\.31\.4 .* line 1: it holds no Kubernetes object/,
  ],
  [
    'a value of two readings',
    'custom-resources.yaml',
    (text) => text.replace('blockSize: 26', 'blockSize: 028'),
    /028 is read in two ways/,
  ],
  ['a strange tag', 'custom-resources.yaml', (text) => text.replace('spec: {}', 'spec: !!js/function x'), /line \d+/],
  [
    'brackets without end',
    'custom-resources.yaml',
    () => `a: ${'['.repeat(5_000_000)}`,
    /custom-resources\.yaml .*(?:deeper|no YAML)/,
  ],
  ['deep', 'custom-resources.yaml', () => `${'['.repeat(300)}${']'.repeat(300)}`, /nested deeper than 200 levels/],
  [
    'a prototype',
    'custom-resources.yaml',
    (text) => text.replace('spec: {}', '__proto__: {}'),
    /without a proper name/,
  ],
  ['a List', 'custom-resources.yaml', () => 'apiVersion: v1\nkind: List\nitems: []\n', /this List has no metadata/],
  [
    'an image without a version',
    'tigera-operator.yaml',
    (text) => text.replaceAll('v1.40.7', 'latest'),
    /does not say which version its operator is/,
  ],
  [
    'a Deployment of another name',
    'tigera-operator.yaml',
    (text) => text.replaceAll(/^ {2}name: tigera-operator$/gm, '  name: other'),
    /tigera-operator\.yaml .* lacks /,
  ],
  [
    'a CRD less',
    'operator-crds.yaml',
    (text) => text.replace('name: installations.operator.tigera.io', 'name: installation.operator.tigera.io'),
    /operator-crds\.yaml .* lacks CustomResourceDefinition installations\.operator\.tigera\.io/,
  ],
  ['no text', 'custom-resources.yaml', () => '\u0000\ufffe', /custom-resources\.yaml/],
];

test.skipIf(!calico).each(damages)('%s: %s is refused by a sentence', async (_, file, edit, says) => {
  await mkdir(join(folder, 'v3.31.4'));
  // The large file is copied only if it is the damaged one: files are read in order, and the first damaged one is refused.
  for (const name of ['tigera-operator.yaml', 'operator-crds.yaml', 'custom-resources.yaml'])
    await cp(join(calico, 'v3.31.4', name), join(folder, 'v3.31.4', name));
  const path = join(folder, 'v3.31.4', file);
  const published = await readFile(path, 'utf8');
  const damaged = edit(published);
  expect(damaged).not.toBe(published);
  await rm(path);
  await writeFile(path, damaged);
  const failure = await openRelease(
    { version: 'v3.31.4', source: folder },
    { env: { SIGNALBOX_CACHE: cache }, cacheKey, fetch: noNetwork, signal },
  ).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    name: 'ReleaseError',
    code: 'release.invalid',
    message: expect.stringMatching(says),
  });
  expect(failure).toMatchObject({ message: expect.stringContaining(file) });
});

test.skipIf(!calico).each(['tigera-operator.yaml', 'custom-resources.yaml', 'operator-crds.yaml'])(
  'a folder without %s says so, and where to put it',
  async (file) => {
    await cp(join(calico, 'v3.31.4'), folder, { recursive: true });
    await rm(join(folder, file), { force: true });
    await expect(open({ version: 'v3.31.4', source: folder })).rejects.toMatchObject({
      code: 'release.missing',
      message: expect.stringMatching(
        new RegExp(`${file}.* Put .*${file}.* into .*, as published with v3\\.31\\.4\\.$`),
      ),
    });
  },
);

test('a folder of other releases says which, and what to put where', async () => {
  for (const version of ['v3.30.7', 'v3.27.5']) {
    await mkdir(join(folder, version));
    await writeFile(join(folder, version, 'tigera-operator.yaml'), '');
  }
  await mkdir(join(folder, 'v3.24.6'));
  await expect(open({ version: 'v3.31.7' }, { SIGNALBOX_CALICO_DIR: folder })).rejects.toMatchObject({
    code: 'release.missing',
    message: `SIGNALBOX_CALICO_DIR (${folder}) does not hold v3.31.7: there is v3.27.5, v3.30.7 in it. Put tigera-operator.yaml, operator-crds.yaml, custom-resources.yaml into ${join(folder, 'v3.31.7')}, as published with v3.31.7.`,
  });
});

test.each(['../../etc', 'v3', 'latest', 'v3.31.4/..', ''])('%j is no release', async (version) => {
  await expect(open({ version })).rejects.toMatchObject({ code: 'release.unknown' });
});
