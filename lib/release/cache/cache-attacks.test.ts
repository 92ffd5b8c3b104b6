import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { Manifest, ReleaseContents } from '#lib/spec/index.ts';
import { openManifest } from '../manifest/open-manifest.ts';
import { openRelease, type WantedRelease } from '../open-release.ts';
import type { ReleaseOptions } from '../sources/release-source.ts';
import { type ReleaseServer, serving, startReleaseServer } from '../testing/release-server.ts';
import { smallRelease, tgz } from '../testing/small-release.ts';

/** Attacks on the cache of releases by another program of this user, or by a user who fills a shared cache. */
const version = 'v3.99.1';
const published = ['custom-resources.yaml', 'custom-resources-bpf.yaml', 'operator-crds.yaml', 'tigera-operator.yaml'];
const good = 'quay.io/tigera/operator:v1.99.1';
const evil = 'evil.example/tigera/operator:v1.99.1';

let folder: string;
let server: ReleaseServer;
let key: Buffer;
let logLines: string[];

beforeEach(async () => {
  folder = testFolder('cache-attacks');
  server = await startReleaseServer();
  key = randomBytes(32);
  logLines = [];
  serve(smallRelease());
});

afterEach(async () => {
  await server.close();
});

function serve(files: Readonly<Record<string, string>>, of = version): void {
  server.answer = (request, response) => {
    const [, file = ''] = new RegExp(`^/calico/${of}/manifests/(.+)$`).exec(request.url ?? '') ?? [];
    const text = published.includes(file) ? files[file] : undefined;
    if (text === undefined) response.writeHead(404).end();
    else serving(text)(request, response);
  };
}

const kept = (...path: string[]) => join(folder, 'cache/signalbox/releases', ...path);
const options = (): ReleaseOptions => ({
  env: { SIGNALBOX_CACHE: join(folder, 'cache') },
  cacheKey: key,
  onNotice: (sentence) => logLines.push(sentence),
  signal: new AbortController().signal,
});
const open = (wanted: Partial<WantedRelease> = {}) =>
  openRelease({ version, source: `${server.origin}/calico`, ...wanted }, options());

const operatorOf = ({ manifests }: ReleaseContents): Manifest => {
  const manifest = manifests['tigera-operator.yaml'];
  if (!manifest) throw new Error('no manifest of the operator');
  return manifest;
};
const textOf = (manifest: Manifest) => JSON.stringify(manifest.objects);

/** Everything that is kept of a file, by the beginning of its name. */
async function copiesOf(sha256: string): Promise<readonly string[]> {
  return (await readdir(kept('sha256'))).filter((name) => name.startsWith(sha256)).map((name) => kept('sha256', name));
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')));
}

const withImage = (text: string) => text.replaceAll(good, evil);

test('another image in the parsed copy, with whatever checksum it bears put right: not used, and said', async () => {
  const { sha256 } = operatorOf(await open());
  for (const path of (await copiesOf(sha256)).filter((one) => one !== kept('sha256', sha256)))
    await edit(path, (text) => {
      const body = withImage(text.slice(text.indexOf('\n') + 1));
      return `${createHash('sha256').update(body).digest('hex')}\n${body}`;
    });
  const again = operatorOf(await open());
  expect(textOf(again)).toContain(good);
  expect(textOf(again)).not.toContain(evil);
  expect(logLines).toEqual([
    expect.stringMatching(/sha256\/[0-9a-f]{64}\.parsed-2\.json\.[0-9a-f]{12} was changed by another program/),
  ]);
  expect(textOf(await openManifest(again, options()))).toContain(good);
  // The entry was written again after the warning, so the second read logs nothing.
  expect(logLines).toHaveLength(1);
});

test('a parsed copy where none was, as an earlier version kept it and under every name: not used', async () => {
  const release = await open();
  const { sha256, objects } = operatorOf(release);
  const body = withImage(JSON.stringify(objects));
  const head = createHash('sha256').update(body).digest('hex');
  const names = (await copiesOf(sha256)).filter((path) => path !== kept('sha256', sha256));
  for (const path of [...names, kept('sha256', `${sha256}.parsed-1.json`), kept('sha256', `${sha256}.parsed-2.json`)])
    await writeFile(path, `${head}\n${body}`);
  expect(textOf(operatorOf(await open()))).not.toContain(evil);
  expect(textOf(await openManifest({ version, file: 'tigera-operator.yaml', sha256 }, options()))).not.toContain(evil);
});

test('the parsed copy of another file in the place of this one: not used, and said', async () => {
  const { manifests } = await open();
  const [operator, customs] = [manifests['tigera-operator.yaml'], manifests['custom-resources.yaml']];
  const [from] = (await copiesOf(customs?.sha256 ?? '')).filter((path) => path.includes('parsed'));
  const [to] = (await copiesOf(operator?.sha256 ?? '')).filter((path) => path.includes('parsed'));
  await writeFile(to ?? '', await readFile(from ?? ''));
  expect(textOf(operatorOf(await open()))).toContain(good);
  expect(logLines).toHaveLength(1);
});

test('another image in the file as it was downloaded: downloaded again, and said', async () => {
  const { sha256 } = operatorOf(await open());
  for (const path of await copiesOf(sha256)) await edit(path, withImage);
  expect(textOf(operatorOf(await open()))).not.toContain(evil);
  expect(logLines).toEqual(expect.arrayContaining([expect.stringContaining(`${kept('sha256', sha256)} was changed`)]));
});

test('without a key of this installation no parsed copy is read or kept', async () => {
  const { sha256 } = operatorOf(
    await openRelease({ version, source: `${server.origin}/calico` }, { ...options(), cacheKey: null }),
  );
  expect(await copiesOf(sha256)).toEqual([kept('sha256', sha256)]);
});

test('the index of a bundle that leads to another file: the bundle is unpacked again, and it is said', async () => {
  const files = smallRelease();
  const path = join(folder, `release-${version}.tgz`);
  const entries = published.map((file) => ({ name: `manifests/${file}`, text: files[file] ?? '' }));
  await writeFile(path, await tgz(entries));
  const { sha256 } = operatorOf(await open({ source: path }));
  const text = withImage(files['tigera-operator.yaml'] ?? '');
  const other = createHash('sha256').update(text).digest('hex');
  await writeFile(kept('sha256', other), text);
  for (const name of await readdir(kept('bundles')))
    await edit(kept('bundles', name), (index) => index.replaceAll(sha256, other));
  expect(operatorOf(await open({ source: path })).sha256).toBe(sha256);
  expect(logLines).toEqual([expect.stringMatching(/bundles\/.+ was changed by another program/)]);
});

/** Calico's before v3.30, which has the definitions in the operator's own file. */
function earlierFiles(): Readonly<Record<string, string>> {
  const { 'operator-crds.yaml': definitions = '', 'tigera-operator.yaml': operator = '', ...others } = smallRelease();
  return { ...others, 'tigera-operator.yaml': `${definitions}---\n${operator}` };
}

/** Enterprise's manifests, as an administrator's own mirror has them. */
function enterpriseFiles(operator: string): Readonly<Record<string, string>> {
  const files = smallRelease(operator);
  return {
    ...files,
    'custom-resources.yaml': (files['custom-resources.yaml'] ?? '').replace(
      /(kind: Installation\nmetadata:\n {2}name: default\n)/,
      '$1spec:\n  variant: TigeraSecureEnterprise\n',
    ),
  };
}

test('Calico and Calico Enterprise of one version: neither is held against the other, nor taken for it', async () => {
  const one = 'v3.22.2';
  const mirror = await startReleaseServer();
  try {
    serve(earlierFiles(), one);
    const wanted = { version: one, source: `${server.origin}/calico` };
    const calico = await open(wanted);
    const files = enterpriseFiles('v1.40.6');
    mirror.answer = (request, response) => {
      const text = files[request.url?.split('/').at(-1) ?? ''];
      if (text === undefined) response.writeHead(404).end();
      else serving(text)(request, response);
    };
    const other = { version: one, source: `${mirror.origin}/calico` };
    const enterprise = await open(other);
    expect(operatorOf(enterprise).sha256).not.toBe(operatorOf(calico).sha256);
    expect(enterprise.operator).toBe('v1.40.6');
    // Both are kept, and found again without a socket, each by its own address.
    expect((await open({ ...wanted, airGapped: true })).operator).toBe('v1.99.1');
    expect((await open({ ...other, airGapped: true })).operator).toBe('v1.40.6');
    // What was recorded of either is held on to.
    await rm(kept('sha256'), { recursive: true });
    serve({ ...earlierFiles(), 'tigera-operator.yaml': withImage(earlierFiles()['tigera-operator.yaml'] ?? '') }, one);
    await expect(open(wanted)).rejects.toMatchObject({ code: 'release.changed' });
    expect((await open(other)).operator).toBe('v1.40.6');
  } finally {
    await mirror.close();
  }
});

test('what an earlier version recorded is still held on to, for the product that it was', async () => {
  const files = smallRelease();
  const record = async (file: string, text: string) => {
    const path = kept('recorded', version, `${file}.sha256`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${createHash('sha256').update(text).digest('hex')}\n`);
  };
  await record('tigera-operator.yaml', withImage(files['tigera-operator.yaml'] ?? ''));
  await expect(open()).rejects.toMatchObject({ code: 'release.changed' });

  await rm(kept('recorded'), { recursive: true });
  for (const file of published) await record(file, files[file] ?? '');
  expect(operatorOf(await open()).standing).toBe('unpinned');
  // Nothing was recorded a second time.
  expect(await readdir(kept('recorded'))).toEqual([version]);
});

test('an address that is said to have served another product does not get round a published checksum', async () => {
  const pinned = 'v3.31.7';
  const files = smallRelease('v1.40.15');
  const source = `${server.origin}/calico`;
  serve(files, pinned);
  const path = kept('products', createHash('sha256').update(`${source}\n${pinned}`).digest('hex'));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'TigeraSecureEnterprise\n');
  await expect(open({ version: pinned, source })).rejects.toMatchObject({
    code: 'release.changed',
    message: expect.stringContaining('is not the file that was published'),
  });
});
