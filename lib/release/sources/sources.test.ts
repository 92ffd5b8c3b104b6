import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { openManifest } from '../manifest/open-manifest.ts';
import { openRelease, type WantedRelease } from '../open-release.ts';
import type { Progress } from '../progress.ts';
import { releaseFile } from '../release-file.ts';
import { type ReleaseServer, serving, startReleaseServer } from '../testing/release-server.ts';
import { smallRelease, tgz } from '../testing/small-release.ts';
import type { Fetch } from './fetch.ts';

const version = 'v3.99.1';
const files = smallRelease();
const published = ['custom-resources.yaml', 'custom-resources-bpf.yaml', 'operator-crds.yaml', 'tigera-operator.yaml'];
const cacheKey = randomBytes(32);
const signal = new AbortController().signal;

let server: ReleaseServer;
let folder: string;
let served: Map<string, string>;

beforeEach(async () => {
  folder = testFolder('sources');
  server = await startReleaseServer();
  served = new Map(published.map((file) => [`/calico/${version}/manifests/${file}`, files[file] ?? '']));
  server.answer = (request, response) => {
    const text = served.get(request.url ?? '');
    if (text === undefined) response.writeHead(404).end();
    else serving(text)(request, response);
  };
});

afterEach(async () => {
  await server.close();
});

const noNetwork: Fetch = () => Promise.reject(new Error('a socket was opened'));
const env = () => ({ SIGNALBOX_CACHE: join(folder, 'cache') });
const open = (
  wanted: Partial<WantedRelease> = {},
  more: { fetch?: Fetch; env?: Record<string, string>; onProgress?: (one: Progress) => void } = {},
) => openRelease({ version, ...wanted }, { env: env(), cacheKey, signal, ...more });
const mirror = () => `${server.origin}/calico`;

async function put(path: string, bytes: string | Uint8Array): Promise<string> {
  const to = join(folder, path);
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, bytes);
  return to;
}

test('a mirror has the path layout of the public address, and says what it is', async () => {
  const reports: Progress[] = [];
  const release = await open({ source: mirror() }, { onProgress: (one) => reports.push(one) });
  expect(release).toMatchObject({ version, operator: 'v1.99.1', source: mirror() });
  expect(Object.keys(release.manifests).toSorted()).toEqual(published.toSorted());
  expect(new Set(reports.map(({ file }) => file))).toEqual(new Set(published));
});

test('the second time nothing is downloaded', async () => {
  await open({ source: mirror() });
  expect((await open({ source: mirror() }, { fetch: noNetwork })).operator).toBe('v1.99.1');
});

test('what the mirror does not have is named', async () => {
  served.delete(`/calico/${version}/manifests/operator-crds.yaml`);
  await expect(open({ source: mirror() })).rejects.toMatchObject({
    code: 'release.missing',
    message:
      `${mirror()} has no operator-crds.yaml, which every installation of v3.99.1 needs. A folder that holds v3.99.1/operator-crds.yaml as published does as well: name it as the source, or in SIGNALBOX_CALICO_DIR.`.replace(
        mirror(),
        `H${mirror().slice(1)}`,
      ),
  });
});

test('a file that is not pinned is recorded when it is first used, and refused when it is another later', async () => {
  const first = await open({ source: mirror() });
  const was = first.manifests['custom-resources.yaml']?.sha256 ?? '';
  const path = `/calico/${version}/manifests/custom-resources.yaml`;
  served.set(path, `${served.get(path)}# evil\n`);
  // The cache is gone, what was recorded is not.
  await rm(join(folder, 'cache/signalbox/releases/sha256'), { recursive: true, force: true });
  await expect(open({ source: mirror() })).rejects.toMatchObject({
    code: 'release.changed',
    message: expect.stringMatching(
      new RegExp(
        `first used here .* its checksum is [0-9a-f]{64}, ${was} was expected\\. .* only then remove .*custom-resources\\.yaml\\.sha256`,
      ),
    ),
  });
});

test('the same file from two mirrors at once is recorded once', async () => {
  const both = await Promise.all([open({ source: mirror() }), open({ source: `${mirror()}/` })]);
  expect(both.map(({ manifests }) => manifests['tigera-operator.yaml']?.sha256)).toEqual(
    Array(2).fill(both[0]?.manifests['tigera-operator.yaml']?.sha256),
  );
});

test('a pinned file that a mirror has changed is refused, with both checksums', async () => {
  served.set('/calico/v3.31.4/manifests/tigera-operator.yaml', files['tigera-operator.yaml'] ?? '');
  await expect(open({ version: 'v3.31.4', source: mirror() })).rejects.toMatchObject({
    code: 'release.changed',
    message: expect.stringContaining('44cbcccdfb9e05c5863247d61e7fd9cf83baf7dc2abacf0c04921d8080a863aa was expected'),
  });
});

test.each([
  ['https://user:hunter2@mirror.example/calico', /mirror\.example holds a user name or a password/],
  ['https://hunter2@mirror.example/calico', /holds a user name or a password/],
  ['https://mirror.example/calico?token=hunter2', /has a query or a fragment/],
  ['http://mirror.example/calico', /http:\/\/mirror\.example is not https/],
  ['ftp://mirror.example/calico', /is not an https:\/\/ address/],
  ['file:///hunter2', /is not an https:\/\/ address/],
  ['https://', /is not an address/],
])('%s is refused, and no secret is repeated', async (source, says) => {
  const failure = await open({ source }, { fetch: noNetwork }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'release.source', message: expect.stringMatching(says) });
  expect(String(failure)).not.toContain('hunter2');
});

test('without TLS elsewhere only if it was said so', async () => {
  const requests: string[] = [];
  const fetch: Fetch = async (address) => {
    requests.push(address);
    return { status: 404, headers: new Headers(), body: null };
  };
  await expect(
    open({ source: 'http://mirror.example/calico/' }, { fetch, env: { ...env(), SIGNALBOX_HTTP_SOURCE: 'allow' } }),
  ).rejects.toMatchObject({ code: 'release.missing' });
  expect(requests).toContain(`http://mirror.example/calico/${version}/manifests/tigera-operator.yaml`);
});

test.each(['', '/', `/${version}`, `/${version}/manifests/`, `/${version}/manifests/tigera-operator.yaml`])(
  'the address of the base, of the release and of a file mean the same (%s)',
  async (end) => {
    expect((await open({ source: `${mirror()}${end}` })).source).toBe(mirror());
  },
);

test('air-gapped: no socket is opened, and what is missing is named with where to have it and where to put it', async () => {
  await expect(open({ airGapped: true }, { fetch: noNetwork })).rejects.toMatchObject({
    code: 'release.missing',
    message: expect.stringMatching(
      /^What was downloaded before \(.*\) has no tigera-operator\.yaml and no operator-crds\.yaml and no custom-resources\.yaml, .* no network is used\. Elsewhere, `signalbox release fetch v3\.99\.1 --to DIR` .*https:\/\/raw\.githubusercontent\.com\/projectcalico\/calico\/v3\.99\.1\/manifests\/operator-crds\.yaml.* SIGNALBOX_CALICO_DIR\.$/,
    ),
  });
});

test('air-gapped: what was downloaded before is enough', async () => {
  await open({ source: mirror() });
  const release = await open({ source: mirror(), airGapped: true }, { fetch: noNetwork });
  expect(release.operator).toBe('v1.99.1');
  expect(release.source).toMatch(/^what was downloaded before/);
});

const bundle = (root: string, names: readonly string[] = published) =>
  tgz([
    { name: `${root}images/calico-node.tar`, text: 'an image' },
    { name: `${root}bin/calicoctl`, type: 'symlink', linkname: 'calicoctl-linux-amd64' },
    ...names.map((name) => ({ name: `${root}manifests/${name}`, text: files[name] ?? '' })),
  ]);
const ocp = () =>
  tgz(
    (files.ocp ?? '')
      .split('---\n')
      .map((text, index) => ({ name: `ocp/${`${index}`.padStart(2, '0')}-part.yaml`, text })),
  );

test('a bundle as published', async () => {
  const path = await put(`release-${version}.tgz`, await bundle(`release-${version}/`));
  const release = await open({ source: path, airGapped: true }, { fetch: noNetwork });
  expect(release).toMatchObject({ operator: 'v1.99.1', source: `the bundle ${path}` });
  expect(Object.keys(release.manifests)).toHaveLength(4);
});

test('a bundle is unpacked once, until it is another or what was kept of it is gone', async () => {
  const path = await put(`release-${version}.tgz`, await bundle(`release-${version}/`));
  const unpackedWith = async () => {
    let pieces = 0;
    const release = await open({ source: path }, { onProgress: () => pieces++ });
    return { pieces, manifests: Object.keys(release.manifests).length };
  };
  expect((await unpackedWith()).pieces).toBeGreaterThan(0);
  expect(await unpackedWith()).toEqual({ pieces: 0, manifests: 4 });

  const [kept = ''] = await readdir(join(folder, 'cache', 'signalbox', 'releases', 'bundles'));
  await put(`cache/signalbox/releases/bundles/${kept}`, '[["manifests/');
  expect((await unpackedWith()).pieces).toBeGreaterThan(0);
  expect((await unpackedWith()).pieces).toBe(0);

  const contents = join(folder, 'cache', 'signalbox', 'releases', 'sha256');
  await rm(join(contents, (await readdir(contents)).filter((name) => name.length === 64)[0] ?? 'none'));
  expect((await unpackedWith()).pieces).toBeGreaterThan(0);

  await put(`release-${version}.tgz`, await bundle('release-v3.98.0/'));
  await expect(unpackedWith()).rejects.toMatchObject({ message: expect.stringContaining('is of v3.98.0') });
});

test('a bundle is read also where nothing can be kept', async () => {
  const path = await put(`release-${version}.tgz`, await bundle(`release-${version}/`));
  const nowhere = await put('a-file', '');
  expect((await open({ source: path }, { env: { SIGNALBOX_CACHE: nowhere } })).operator).toBe('v1.99.1');
});

test('a bundle of another release, one without manifests, one that is none', async () => {
  const other = await put('other.tgz', await bundle('release-v3.98.0/'));
  await expect(open({ source: other })).rejects.toMatchObject({
    message: expect.stringContaining('is of v3.98.0, not of v3.99.1'),
  });
  const none = await put('none.tgz', await tgz([{ name: 'x.txt', text: 'x' }]));
  await expect(open({ source: none })).rejects.toMatchObject({
    message: expect.stringContaining('holds no manifests of a release'),
  });
  const text = await put('text.tgz', 'kind: Installation');
  await expect(open({ source: text })).rejects.toMatchObject({
    code: 'release.source',
    message: expect.stringContaining('is not a gzipped tar'),
  });
  await expect(open({ source: join(folder, 'nowhere.tgz') })).rejects.toMatchObject({
    code: 'release.source',
    message: expect.stringContaining('is not there'),
  });
  const half = await put('half.tgz', await bundle('', ['tigera-operator.yaml', 'custom-resources.yaml']));
  await expect(open({ source: half })).rejects.toMatchObject({
    message: expect.stringContaining('has no operator-crds.yaml'),
  });
});

test('OpenShift’s bundle: as a file, as a folder, beside the manifests, and at the mirror', async () => {
  const packed = await ocp();
  const file = await put('ocp.tgz', packed);
  for (const [name, text] of (files.ocp ?? '')
    .split('---\n')
    .map((text, index) => [`${index}-part.yaml`, text] as const))
    await put(`ocp/${name.padStart(12, '0')}`, text);
  await put('ocp/02-tigera-operator-no-resource-loading.yaml', 'kind: passed over');
  await put('ocp/02-tigera-operator.yaml', '# the mark by which the folder is known\n');
  served.set(`/calico/${version}/manifests/ocp.tgz`, 'not used');
  const good = server.answer;
  server.answer = (request, response) =>
    request.url?.endsWith('ocp.tgz')
      ? response.writeHead(200, { 'content-length': packed.length }).end(packed)
      : good(request, response);
  for (const source of [file, join(folder, 'ocp'), folder, mirror()]) {
    const release = await open({ source, platform: 'openshift' });
    expect(Object.keys(release.manifests)).toEqual(['ocp']);
    expect(release.operator).toBe('v1.99.1');
    expect(release.manifests.ocp?.objects.map(({ kind }) => kind)).toContain('ConfigMap');
  }
});

test('OpenShift’s bundle elsewhere, and a release without it on OpenShift', async () => {
  const file = await put('ocp.tgz', await ocp());
  await expect(open({ source: file, platform: 'kubeadm' })).rejects.toMatchObject({
    code: 'release.source',
    message: expect.stringContaining("is the bundle from which OpenShift's operator is installed"),
  });
  const release = await put(`release-${version}.tgz`, await bundle(`release-${version}/`));
  await expect(open({ source: release, platform: 'openshift' })).rejects.toMatchObject({
    code: 'release.missing',
    message: expect.stringContaining('OpenShift has a bundle of its own, ocp.tgz'),
  });
});

test('a manifest that is no longer kept comes from the source once more', async () => {
  const release = await open({ source: mirror() });
  const ref = release.manifests['tigera-operator.yaml'];
  if (!ref) throw new Error('no manifest');
  await rm(join(folder, 'cache'), { recursive: true, force: true });
  expect(await openManifest(ref, { env: env(), source: mirror(), signal })).toEqual(ref);
});

test('a machine that cannot keep files can still open a folder', async () => {
  for (const name of published) await put(`${version}/${name}`, files[name] ?? '');
  const nowhere = { SIGNALBOX_CACHE: await put('no-folder', '') };
  const release = await open({ source: folder }, { env: nowhere, fetch: noNetwork });
  const ref = release.manifests['custom-resources.yaml'];
  if (!ref) throw new Error('no manifest');
  expect(await openManifest(ref, { env: nowhere, source: folder, signal, fetch: noNetwork })).toEqual(ref);
});

test('OpenShift’s bundle packed beside the manifests', async () => {
  for (const name of published) await put(`${version}/${name}`, files[name] ?? '');
  await put(`${version}/ocp.tgz`, await ocp());
  expect(Object.keys((await open({ source: folder, platform: 'openshift' })).manifests)).toEqual(['ocp']);
});

test('one file as it was published, from a folder before anything else', async () => {
  await put(`${version}/tigera-operator.yaml`, 'edited');
  const calico = { ...env(), SIGNALBOX_CALICO_DIR: folder };
  expect(await releaseFile(version, 'tigera-operator.yaml', { env: calico, fetch: noNetwork })).toBe('edited');
  await expect(releaseFile(version, 'calico.yaml', { env: calico, fetch: noNetwork })).rejects.toMatchObject({
    code: 'release.missing',
    message: expect.stringContaining('has no calico.yaml of v3.99.1. Put calico.yaml into'),
  });
});
