import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { cacheOf } from '../cache/cache.ts';
import { sha256 } from '../cache/kept-files.ts';
import { mostBytes } from '../limits.ts';
import type { Progress } from '../progress.ts';
import { breakingOff, type ReleaseServer, serving, startReleaseServer } from '../testing/release-server.ts';
import { type Download, download } from './download.ts';
import { proxiedFetch } from './fetch.ts';

const text = `${'kind: Installation\n'.repeat(50)}# end\n`;
const checksum = sha256(Buffer.from(text));
/** Long enough for a machine that is busy; tests of silence have shorter ones. */
const patience = { answerMs: 15_000, idleMs: 15_000, wholeMs: 60_000, tries: 3, firstWaitMs: 1, longestWaitMs: 5 };

let server: ReleaseServer;
let folder: string;
let progress: Progress[];
let dialled: Awaited<ReturnType<typeof proxiedFetch>>;

beforeEach(async () => {
  server = await startReleaseServer();
  folder = testFolder('download');
  progress = [];
  dialled = await proxiedFetch({});
});

afterEach(async () => {
  await dialled.close();
  await server.close();
});

const get = async (changes: Partial<Download> = {}) => {
  const bytes = await download({
    address: `${server.origin}/file`,
    file: 'file',
    checksum,
    cache: cacheOf({ env: { SIGNALBOX_CACHE: folder } }),
    fetch: dialled.fetch,
    signal: new AbortController().signal,
    onProgress: (one) => progress.push(one),
    patience,
    ...changes,
  });
  return bytes === null ? null : Buffer.from(bytes).toString();
};

/** Hangs up when 300 bytes of this try have come. */
const breaking = (whole: string, etag?: string): ReleaseServer['answer'] => {
  const received = () => progress.at(-1)?.received;
  return (request, response) => {
    progress.length = 0;
    breakingOff(whole, 300, received, etag)(request, response);
  };
};

const parts = () => readdir(join(folder, 'signalbox/releases/parts'));

/** Answers one request after the other; the last answer is repeated. */
const inTurn = (...answers: ReleaseServer['answer'][]) => {
  let turn = 0;
  server.answer = (request, response) => answers[Math.min(turn++, answers.length - 1)]?.(request, response);
};

test('a whole file, with progress, and nothing left behind', async () => {
  server.answer = serving(text);
  expect(await get()).toBe(text);
  expect(progress.at(-1)).toEqual({ file: 'file', received: text.length, total: text.length });
  expect(await parts()).toEqual([]);
});

test('what came before a break is not fetched twice', async () => {
  inTurn(breaking(text), serving(text));
  expect(await get()).toBe(text);
  expect(server.requests).toEqual(['/file', '/file bytes=300-']);
  expect(progress.map(({ received }) => received)).toEqual(
    progress.map(({ received }) => received).toSorted((a, b) => a - b),
  );
});

test('a download that was given up is carried on with by the next', async () => {
  server.answer = breaking(text);
  const twice = { patience: { ...patience, tries: 1 } };
  await expect(get(twice)).rejects.toMatchObject({ code: 'release.unreachable' });
  expect(await parts()).toHaveLength(2);
  server.requests.length = 0;
  server.answer = serving(text);
  expect(await get()).toBe(text);
  expect(server.requests[0]).toBe('/file bytes=300-');
  expect(await parts()).toEqual([]);
});

test('without a checksum nothing that lies there is carried on with: another program may have written it', async () => {
  const unknown = { checksum: null, patience: { ...patience, tries: 1 } };
  server.answer = breaking(text);
  await expect(get(unknown)).rejects.toThrow();
  expect(await parts()).toEqual([]);
  await expect(get({ patience: unknown.patience })).rejects.toThrow();
  for (const part of (await parts()).filter((name) => name.endsWith('.part')))
    await writeFile(join(folder, 'signalbox/releases/parts', part), 'e'.repeat(300));
  server.requests.length = 0;
  server.answer = serving(text);
  expect(await get(unknown)).toBe(text);
  expect(server.requests).toEqual(['/file']);
});

test.each(['br', 'gzip', 'zstd', 'deflate, br', 'BR'])(
  'what a server sends compressed (%s) is refused, and never unpacked',
  async (encoding) => {
    const packed = brotliCompressSync(text);
    server.answer = (_, response) =>
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': packed.length }).end(packed);
    await expect(get({ checksum: null })).rejects.toMatchObject({
      code: 'release.unreachable',
      message: expect.stringContaining(`sent the file compressed (${encoding}), which was not asked for`),
    });
    await expect(get()).rejects.toMatchObject({ code: 'release.unreachable' });
  },
);

test('a server that knows no ranges starts again', async () => {
  inTurn(breaking(text), (_, response) => response.writeHead(200, { 'content-length': text.length }).end(text));
  expect(await get()).toBe(text);
  expect(server.requests).toEqual(['/file', '/file bytes=300-']);
});

test('without a validator nothing is resumed: nobody could tell whether it is the same file', async () => {
  inTurn((_, response) => {
    response.writeHead(200, { 'content-length': text.length });
    response.write(text.slice(0, 300), () => setTimeout(() => response.destroy(), 20));
  }, serving(text));
  expect(await get()).toBe(text);
  expect(server.requests).toEqual(['/file', '/file']);
});

test('a weak validator is none', async () => {
  inTurn(breaking(text, 'W/"1"'), serving(text));
  expect(await get()).toBe(text);
  expect(server.requests).toEqual(['/file', '/file']);
});

test('a file that changed between two parts begins again, by the server’s own word', async () => {
  const earlier = text.toUpperCase();
  inTurn(breaking(earlier, '"earlier"'), serving(text, '"later"'));
  expect(await get()).toBe(text);
});

test('a server that hands out a part of another file, though it was asked not to, is found out', async () => {
  const earlier = text.toUpperCase();
  inTurn(
    breaking(earlier, '"earlier"'),
    (_, response) => {
      const rest = text.slice(300);
      const range = `bytes 300-${text.length - 1}/${text.length}`;
      response.writeHead(206, { etag: '"later"', 'content-range': range, 'content-length': rest.length }).end(rest);
    },
    serving(text, '"later"'),
  );
  expect(await get()).toBe(text);
  expect(server.requests).toHaveLength(3);
});

test('halves of two files under one validator: the checksum tells, and it begins again once', async () => {
  inTurn(breaking(text.toUpperCase(), '"same"'), serving(text, '"same"'));
  expect(await get()).toBe(text);
  expect(server.requests).toEqual(['/file', '/file bytes=300-', '/file']);
});

test('another piece than was asked for is not appended', async () => {
  inTurn(
    breaking(text),
    (_, response) => {
      const range = `bytes 0-${text.length - 1}/${text.length}`;
      response.writeHead(206, { etag: `"${text.length}"`, 'content-range': range }).end(text);
    },
    serving(text),
  );
  expect(await get()).toBe(text);
});

test('416 begins again', async () => {
  inTurn(breaking(text), (_, response) => response.writeHead(416).end(), serving(text));
  expect(await get()).toBe(text);
});

test('another checksum: both are named, and nothing is kept', async () => {
  server.answer = serving('kind: Evil\n');
  const evil = sha256(Buffer.from('kind: Evil\n'));
  await expect(get()).rejects.toMatchObject({
    code: 'release.changed',
    message: expect.stringContaining(`its checksum is ${evil}, ${checksum} was expected. Nothing of it was used.`),
  });
  expect(await parts()).toEqual([]);
});

test('a length that promises more than comes is no whole file, also without a checksum', async () => {
  server.answer = (request) => {
    // By hand: node refuses to send less than it says.
    request.socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length + 10}\r\nconnection: close\r\n\r\n${text}`);
  };
  await expect(get({ checksum: null, patience: { ...patience, tries: 1 } })).rejects.toMatchObject({
    code: 'release.unreachable',
  });
});

test('without a length and a checksum nobody could tell whether it is whole: refused', async () => {
  server.answer = (request) => {
    request.socket.end(`HTTP/1.0 200 OK\r\nconnection: close\r\n\r\n${text}`);
  };
  await expect(get({ checksum: null })).rejects.toMatchObject({
    message: expect.stringContaining('does not say how long the file is'),
  });
  expect(await get()).toBe(text);
});

test('no such file is no error', async () => {
  expect(await get()).toBeNull();
});

test('an answer of 5xx is asked again, for a while', async () => {
  inTurn((_, response) => response.writeHead(503, { 'retry-after': '0' }).end(), serving(text));
  expect(await get()).toBe(text);
  server.answer = (_, response) => response.writeHead(503).end();
  server.requests.length = 0;
  await expect(get()).rejects.toMatchObject({ message: `${server.origin}/file answered 503.` });
  expect(server.requests).toHaveLength(patience.tries);
});

test.each([401, 403, 400])('%d is not asked again', async (status) => {
  server.answer = (_, response) => response.writeHead(status).end();
  await expect(get()).rejects.toMatchObject({ message: expect.stringContaining(`answered ${status}`) });
  expect(server.requests).toHaveLength(1);
});

test('an address that says nothing is given up', async () => {
  server.answer = () => {};
  await expect(get({ patience: { ...patience, answerMs: 400 } })).rejects.toMatchObject({
    message: `${server.origin}/file did not answer within 0.4 s.`,
  });
});

test('a server that falls silent in the middle is left, and the rest is asked for', async () => {
  inTurn((_, response) => {
    response.writeHead(200, { etag: `"${text.length}"`, 'content-length': text.length });
    response.write(text.slice(0, 300));
  }, serving(text));
  expect(await get({ patience: { ...patience, idleMs: 1_000 } })).toBe(text);
  expect(server.requests).toEqual(['/file', '/file bytes=300-']);
});

test('nobody listens', async () => {
  await server.close();
  await expect(get()).rejects.toMatchObject({
    code: 'release.unreachable',
    message: expect.stringMatching(/could not be read \(.*ECONNREFUSED/),
  });
});

test('a file that drips does not take for ever', async () => {
  server.answer = (_, response) => {
    response.writeHead(200, { 'content-length': text.length });
    const drip = setInterval(() => response.write('k'), 50);
    response.on('close', () => clearInterval(drip));
  };
  await expect(get({ patience: { ...patience, wholeMs: 500 } })).rejects.toMatchObject({
    message: `${server.origin}/file was not here whole within 0.5 s.`,
  });
});

test('a file that does not end is given up', async () => {
  const megabyte = Buffer.alloc(1_000_000);
  let sent = 0;
  server.answer = (_, response) => {
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
  expect(await parts()).toEqual([]);
});

test('a length beyond all measure is not even begun', async () => {
  server.answer = (_, response) => response.writeHead(200, { 'content-length': mostBytes + 1 }).end('k');
  await expect(get()).rejects.toMatchObject({ code: 'release.changed' });
});

test('a redirect on this machine is followed, a few times', async () => {
  inTurn((_, response) => response.writeHead(302, { location: '/elsewhere' }).end(), serving(text));
  expect(await get()).toBe(text);
  expect(server.requests).toEqual(['/file', '/elsewhere']);
  server.answer = (_, response) => response.writeHead(302, { location: '/again' }).end();
  await expect(get()).rejects.toMatchObject({ message: expect.stringContaining('more than 5 times') });
});

test.each([
  ['http://mirror.example/file', 'leads to http://mirror.example, which is not https'],
  ['file:///etc/passwd', 'leads to file://, which is not https'],
  [
    'https://user:secret@mirror.example/file',
    'leads to an address at mirror.example that holds a user name or a password',
  ],
])('a redirect to %s is not followed', async (location, says) => {
  server.answer = (_, response) => response.writeHead(302, { location }).end();
  await expect(get()).rejects.toMatchObject({ message: `${server.origin}/file ${says}, which is not followed.` });
});

test('given up by the caller: at once, and what is here is kept', async () => {
  const stop = new AbortController();
  server.answer = (_, response) => {
    response.writeHead(200, { etag: '"1"', 'content-length': text.length });
    response.write(text.slice(0, 300));
  };
  const asking = get({ signal: stop.signal, onProgress: () => stop.abort() });
  await expect(asking).rejects.toMatchObject({ code: 'release.aborted' });
  expect(await parts()).toHaveLength(2);
});

test('two at once: each gets the whole file', async () => {
  server.answer = (request, response) => setTimeout(() => serving(text)(request, response), 50);
  expect(await Promise.all([get(), get()])).toEqual([text, text]);
  expect(await parts()).toEqual([]);
});

test('of two that find one part, one carries on with it', async () => {
  const twice = { patience: { ...patience, tries: 1 } };
  server.answer = breaking(text);
  await expect(get(twice)).rejects.toThrow();
  server.requests.length = 0;
  server.answer = serving(text);
  expect(await Promise.all([get(), get()])).toEqual([text, text]);
  expect(server.requests.toSorted()).toEqual(['/file', '/file bytes=300-']);
});

/** The same download in a process of its own. */
function inAnotherProcess() {
  const code = `
    const { download } = await import(${JSON.stringify(new URL('./download.ts', import.meta.url).href)});
    const { proxiedFetch } = await import(${JSON.stringify(new URL('./fetch.ts', import.meta.url).href)});
    const { cacheOf } = await import(${JSON.stringify(new URL('../cache/cache.ts', import.meta.url).href)});
    const { fetch, close } = await proxiedFetch({});
    const bytes = await download({ address: ${JSON.stringify(`${server.origin}/file`)}, file: 'file', checksum: '${checksum}',
      cache: cacheOf({ env: { SIGNALBOX_CACHE: ${JSON.stringify(folder)} } }), fetch, signal: new AbortController().signal });
    process.stdout.write(bytes);
    await close();`;
  return spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: process.cwd(),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

const sizes = async () => {
  const folderOfParts = join(folder, 'signalbox/releases/parts');
  const names = await readdir(folderOfParts).catch(() => []);
  return Promise.all(names.map(async (name) => (await stat(join(folderOfParts, name))).size));
};

test('a process that was killed leaves its part to the next one', async () => {
  server.answer = (_, response) => {
    response.writeHead(200, { etag: `"${text.length}"`, 'content-length': text.length });
    response.write(text.slice(0, 300));
  };
  const killed = inAnotherProcess();
  await vi.waitUntil(async () => (await sizes()).includes(300), { timeout: 50_000, interval: 20 });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  server.requests.length = 0;
  server.answer = serving(text);
  expect(await get()).toBe(text);
  expect(server.requests).toEqual(['/file bytes=300-']);
  expect(await parts()).toEqual([]);
});

test('two processes at once: each gets the whole file, and neither takes the part of the other', async () => {
  server.answer = (_, response) => {
    response.writeHead(200, { etag: `"${text.length}"`, 'content-length': text.length });
    response.write(text.slice(0, 300), () => setTimeout(() => response.end(text.slice(300)), 1_000));
  };
  const others = [inAnotherProcess(), inAnotherProcess()];
  const outputs = others.map(async (process) => {
    let out = '';
    for await (const piece of process.stdout) out += String(piece);
    return out;
  });
  const own = get();
  expect(await Promise.all([own, ...outputs])).toEqual([text, text, text]);
  expect(await parts()).toEqual([]);
});

test('a disk that is full is told as that', async () => {
  server.answer = serving(text);
  const key = sha256(Buffer.from(`${server.origin}/file`)).slice(0, 32);
  const left = join(folder, 'signalbox/releases/parts');
  await mkdir(left, { recursive: true });
  // Of a process that is gone. What is written to /dev/full finds no space.
  await symlink('/dev/full', join(left, `${key}.${hostname()}.${spawnSync('true').pid}.0.part`));
  await expect(get()).rejects.toMatchObject({
    code: 'release.disk',
    message: expect.stringMatching(/cannot be written: the disk is full\. Set SIGNALBOX_CACHE to another folder/),
  });
  expect(server.requests).toHaveLength(1);
  expect(await parts()).toEqual([]);
});

test('a cache that is no folder is told as that', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(get({ cache: cacheOf({ env: { SIGNALBOX_CACHE: join(folder, 'file') } }) })).rejects.toMatchObject({
    code: 'release.disk',
  });
});

test('by way of the proxy that the environment names, but for what NO_PROXY names', async () => {
  const proxy = await startReleaseServer();
  const connected = new Promise<string>((seen) => {
    proxy.onConnect = (target) => seen(target);
  });
  const proxied = await proxiedFetch({ https_proxy: proxy.origin, no_proxy: '127.0.0.1' });
  const asking = get({ address: 'https://mirror.example/file', fetch: proxied.fetch }).catch(() => null);
  expect(await connected).toBe('mirror.example:443');
  await asking;
  server.answer = serving(text);
  expect(await get({ fetch: proxied.fetch })).toBe(text);
  await proxied.close();
  await proxy.close();
});

test('a proxy variable that is no address is named, and not repeated', async () => {
  await expect(proxiedFetch({ HTTPS_PROXY: 'http://user:secret@' })).rejects.toMatchObject({
    code: 'release.unreachable',
    message: expect.not.stringContaining('secret'),
  });
});
