import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { releaseAddress } from './address.ts';
import { checksumOf } from './checksums.ts';
import { download, type Fetch } from './download.ts';
import { sha256 } from './kept-files.ts';
import { mostBytes } from './limits.ts';
import { releaseFile } from './release-file.ts';

const published = 'kind: Installation\n';

// The pinned table holds the real files' checksums, and the project holds no real file: here the published text is our own.
vi.mock('./checksums.ts', () => ({
  checksumOf: vi.fn((_: string, name: string) =>
    name === 'custom-resources.yaml' ? sha256(Buffer.from(published)) : null,
  ),
}));

let folder: string;
let server: Server;
let asked: string[];
let answer: RequestListener;
let fetch: Fetch;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-release-'));
  asked = [];
  answer = (_, response) => response.end(published);
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The release address with our own server in its place.
  fetch = (address, options) => globalThis.fetch(`${origin}${new URL(address).pathname}`, options);
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await rm(folder, { recursive: true, force: true });
});

const get = (name = 'custom-resources.yaml', env: Record<string, string> = { SIGNALBOX_CACHE: folder }) =>
  releaseFile('v3.31.4', name, { env, fetch });

test('downloaded once from the tag, then taken from the cache', async () => {
  expect(await get()).toBe(published);
  expect(await get()).toBe(published);
  expect(asked).toEqual(['/projectcalico/calico/v3.31.4/manifests/custom-resources.yaml']);
});

test('a cached file that was cut short is downloaded again', async () => {
  await get();
  await writeFile(join(folder, 'signalbox/releases/v3.31.4/custom-resources.yaml'), 'kind: Inst');
  expect(await get()).toBe(published);
  expect(asked).toHaveLength(2);
});

test('another checksum: a clear error with both, and nothing is kept', async () => {
  answer = (_, response) => response.end('kind: Evil\n');
  const evil = sha256(Buffer.from('kind: Evil\n'));
  await expect(get()).rejects.toMatchObject({
    code: 'release.changed',
    message: expect.stringMatching(
      new RegExp(`is not the file .* v3.31.4: .* ${evil}, ${checksumOf('v3.31.4', 'custom-resources.yaml')} was`),
    ),
  });
  expect(await readdir(folder)).toEqual([]);
});

test('a file whose checksum is not pinned is never asked for', async () => {
  await expect(get('other.yaml')).rejects.toMatchObject({ code: 'release.unknown' });
  expect(asked).toEqual([]);
});

test('an address that answers with an error names both sources', async () => {
  answer = (_, response) => response.writeHead(503).end();
  await expect(get()).rejects.toMatchObject({
    code: 'release.unreachable',
    message: `${releaseAddress('v3.31.4', 'custom-resources.yaml')} answered 503. Set SIGNALBOX_CALICO_DIR to a folder that holds v3.31.4/custom-resources.yaml as published with that release.`,
  });
});

test('an address that cannot be reached says why', async () => {
  answer = (request) => request.socket.destroy();
  await expect(get()).rejects.toMatchObject({
    message: expect.stringContaining('could not be read (other side closed)'),
  });
});

test('a redirect is not followed', async () => {
  answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
  await expect(get()).rejects.toMatchObject({ code: 'release.unreachable' });
  expect(asked).toHaveLength(1);
});

test('an address that says nothing is given up', async () => {
  answer = () => {};
  await expect(download('http://release.example/file', fetch, 50)).rejects.toMatchObject({
    message: 'http://release.example/file did not answer within 0.05 s.',
  });
});

test('a file that does not end is given up', async () => {
  const megabyte = Buffer.alloc(1_000_000);
  let sent = 0;
  answer = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(megabyte)) sent += megabyte.length;
    };
    response.on('drain', more);
    more();
  };
  await expect(get()).rejects.toMatchObject({
    code: 'release.changed',
    message: expect.stringContaining(`longer than ${mostBytes}`),
  });
  expect(sent).toBeLessThan(5 * mostBytes);
});

test('a folder comes first, and nothing is dialled for what it lacks', async () => {
  const env = { SIGNALBOX_CALICO_DIR: folder, SIGNALBOX_CACHE: folder };
  await mkdir(join(folder, 'v3.31.4'));
  await writeFile(join(folder, 'v3.31.4/custom-resources.yaml'), 'kind: Edited\n');
  expect(await get('custom-resources.yaml', env)).toBe('kind: Edited\n');
  await expect(get('calico.yaml', env)).rejects.toMatchObject({
    code: 'release.missing',
    message: expect.stringMatching(
      /SIGNALBOX_CALICO_DIR \(.*\) has no v3\.31\.4\/calico\.yaml\. .*raw\.githubusercontent\.com/,
    ),
  });
  expect(asked).toEqual([]);
});
