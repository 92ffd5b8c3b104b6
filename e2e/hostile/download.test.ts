import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type Ended, signalbox } from '#e2e/cli/testing/signalbox.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { type ReleaseServer, serving, startReleaseServer } from '#lib/release/testing/release-server.ts';
import { smallRelease } from '#lib/release/testing/small-release.ts';

/** Attacks by a server of release files, and by a program that can change the cache: with the real program, a real server and a real cache. */
const good = 'quay.io/tigera/operator:v1.99.1';
const evil = 'evil.example/tigera/operator:v1.99.1';

let server: ReleaseServer;
let home: string;
let cache: string;

beforeEach(async () => {
  server = await startReleaseServer();
  home = testFolder('download');
  cache = testFolder('download');
});

afterEach(() => server.close());

const withImage = (text: string) => text.replaceAll(good, evil);

/** Serves these files of a release below `/<path>`, like a mirror. */
function serve(path: string, files: Readonly<Record<string, string>>): string {
  const others = server.answer;
  server.answer = (request, response) => {
    const [, at, file = ''] = /^\/([^/]+)\/v[^/]+\/manifests\/(.+)$/.exec(request.url ?? '') ?? [];
    if (at !== path) return others(request, response);
    const text = Object.hasOwn(files, file) ? files[file] : undefined;
    if (text === undefined) response.writeHead(404).end();
    else serving(text)(request, response);
  };
  return `${server.origin}/${path}`;
}

const run = (...args: readonly string[]): Promise<Ended> =>
  signalbox(args, { HOME: home, SIGNALBOX_CACHE: cache, SIGNALBOX_CALICO_DIR: '' });

const planOf = (version: string, source: string, ...more: readonly string[]) =>
  run('plan', '--sandbox', 'empty', '--goal', 'install', '--release', version, '--source', source, ...more);

const planShape = z.object({
  release: z.object({
    version: z.string(),
    notice: z.string().nullable(),
    files: z.array(z.object({ file: z.string(), standing: z.string() })),
  }),
});

/** The paths of all files in the cache. */
function kept(): readonly string[] {
  return readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a server that has changed the release that is proposed is refused, with both checksums', async () => {
  const source = serve('calico', smallRelease('v1.40.15'));
  const ended = await planOf('v3.31.7', source);
  expect(ended.code).toBe(2);
  expect(ended.out).toBe('');
  expect(ended.err).toMatch(/is not the file that is known: its checksum is [0-9a-f]{64}, [0-9a-f]{64} was expected/);
});

test('a plan from a release without published checksums says so, as text, as JSON and in the script', async () => {
  const source = serve('calico', smallRelease());
  const says = 'No published checksum is known for v3.99.1: its files are not verified.';
  const table = await planOf('v3.99.1', source);
  expect(table.out.replaceAll(/\s+/g, ' ')).toContain(says);
  const { release } = planShape.parse(JSON.parse((await planOf('v3.99.1', source, '-o', 'json')).out));
  expect(release).toMatchObject({ version: 'v3.99.1', notice: says });
  expect(new Set(release.files.map(({ standing }) => standing))).toEqual(new Set(['unpinned']));
  expect((await planOf('v3.99.1', source, '-o', 'shell')).out).toContain(`# ${says}\n`);
});

test('another image in what is cached never reaches a plan, and stderr says that it was thrown away', async () => {
  const source = serve('calico', smallRelease());
  const first = await planOf('v3.99.1', source);
  expect(first.out).toContain(good);
  const edited = kept().filter((path) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes(good)) return false;
    // If a file contains its own checksum, the attack corrects that too.
    const [head = '', ...rest] = text.split('\n');
    const body = withImage(rest.join('\n'));
    const isHeaded = /^[0-9a-f]{64}$/.test(head);
    writeFileSync(path, isHeaded ? `${createHash('sha256').update(body).digest('hex')}\n${body}` : withImage(text));
    return true;
  });
  expect(edited.length).toBeGreaterThanOrEqual(2);
  const again = await planOf('v3.99.1', source);
  expect(again.out).toContain(good);
  expect(again.out + again.err).not.toContain(evil);
  expect(again.err).toMatch(/was changed by another program, or is damaged: it is deleted and written again\./);
  // Reported only once, because the file made again is correct.
  expect((await planOf('v3.99.1', source)).err).not.toContain('changed by another program');
});

test('Calico and Calico Enterprise of one version, from two mirrors: each is what its own mirror serves', async () => {
  const definitions = smallRelease('v1.40.6');
  const customs = (definitions['custom-resources.yaml'] ?? '').replace(
    /(kind: Installation\nmetadata:\n {2}name: default\n)/,
    '$1spec:\n  variant: TigeraSecureEnterprise\n',
  );
  const { 'operator-crds.yaml': crds = '', 'tigera-operator.yaml': operator = '', ...others } = smallRelease();
  const calico = serve('calico', { ...others, 'tigera-operator.yaml': `${crds}---\n${operator}` });
  const enterprise = serve('enterprise', { ...definitions, 'custom-resources.yaml': customs });
  const operatorOf = async (source: string, ...more: readonly string[]) => {
    const ended = await run('release', 'verify', 'v3.22.2', '--source', source, '-o', 'json', ...more);
    expect(ended.err).not.toContain('is not the file');
    return z.object({ operator: z.string() }).parse(JSON.parse(ended.out)).operator;
  };
  expect(await operatorOf(calico)).toBe('v1.99.1');
  expect(await operatorOf(enterprise)).toBe('v1.40.6');
  expect(await operatorOf(calico, '--air-gapped')).toBe('v1.99.1');
  expect(await operatorOf(enterprise, '--air-gapped')).toBe('v1.40.6');
});

test('a server that answers compressed is not unpacked', async () => {
  server.answer = (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(Buffer.alloc(64, 0xff));
  const ended = await planOf('v3.99.1', `${server.origin}/calico`);
  expect(ended.code).not.toBe(0);
  expect(ended.err).toContain('sent the file compressed (br), which was not asked for');
});
