import { existsSync, writeFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askConsole } from './ask-console.ts';
import { lockInstance } from './instance-lock.ts';
import { claimSocketPath, makePrivate, removeSocket, socketPath } from './instance-path.ts';
import { type Answers, answerAt } from './instance-server.ts';

let folder: string;
const servers: Server[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-instance-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await removeSocket(folder);
  await rm(folder, { recursive: true });
});

const answers: Answers = {
  link: async () => ({ ok: true, link: 'http://127.0.0.1:3000/sign-in#key=x', build: '/b' }),
  status: async () => ({ ok: true, pid: 1, port: 3000, since: '', log: '' }),
  apply: async ({ plan, cluster }) => ({ ok: true, cluster: JSON.stringify(cluster), run: JSON.stringify(plan) }),
};

async function running(at = folder, as = answers): Promise<string> {
  const path = await claimSocketPath(at);
  servers.push(
    await answerAt(path, as, async () => ({ ok: false, code: 'test', message: 'No sandbox is lent here.' })),
  );
  return path;
}

test.runIf(process.getuid?.() === 0)('a folder of somebody else where everybody may write is refused', async () => {
  await chown(folder, 65_534, 65_534);
  await chmod(folder, 0o777);
  await expect(makePrivate(folder)).rejects.toThrow(/belongs to another user/);
  await chmod(folder, 0o770);
  await makePrivate(folder);
});

test('one process at a time has a state folder', () => {
  const first = lockInstance(folder);
  expect(first).not.toBeNull();
  expect(lockInstance(folder)).toBeNull();
  first?.release();
  const second = lockInstance(folder);
  expect(second).not.toBeNull();
  second?.release();
});

describe('the command line asks the console that runs', () => {
  test('for a link, or to carry a plan', async () => {
    await running();
    expect(await askConsole(folder, { ask: 'link' })).toEqual({
      ok: true,
      link: 'http://127.0.0.1:3000/sign-in#key=x',
      build: '/b',
    });
    expect(await askConsole(folder, { ask: 'apply', plan: { a: 'ü'.repeat(300_000) }, cluster: null })).toMatchObject({
      run: JSON.stringify({ a: 'ü'.repeat(300_000) }),
    });
  });

  test('over a socket that is for its user only', async () => {
    expect((await stat(await running())).mode & 0o777).toBe(0o600);
  });

  test('and is told when none runs', async () => {
    expect(await askConsole(folder, { ask: 'link' })).toMatchObject({ ok: false, code: 'console.missing' });
  });

  test('or when only its socket is left', async () => {
    // A server that is killed leaves its socket; closing it properly removes it, so the path is taken from under it.
    writeFileSync(join(folder, 'console.sock'), '');
    expect(await askConsole(folder, { ask: 'link' })).toMatchObject({ ok: false, code: 'console.missing' });
    await running();
    expect(await askConsole(folder, { ask: 'link' })).toMatchObject({ ok: true });
  });

  test('or when it says nothing that makes sense', async () => {
    const server = createServer((socket) => socket.end('hello\n'));
    servers.push(server);
    await new Promise<void>((done) => server.listen(join(folder, 'console.sock'), done));
    expect(await askConsole(folder, { ask: 'link' })).toMatchObject({ ok: false, code: 'console.silent' });
  });

  test('a fault in answering is told, not thrown', async () => {
    await running(folder, { ...answers, link: () => Promise.reject(new Error('no')) });
    expect(await askConsole(folder, { ask: 'link' })).toEqual({ ok: false, code: 'fault', message: 'no' });
  });
});

test.each(['nonsense', '{"ask":"rm"}', '{"ask":"link","more":1}', '[]'])('%s is no question', async (line) => {
  const path = await running();
  const reply = await new Promise<string>((told) => {
    const socket = connect(path, () => socket.write(`${line}\n`));
    let text = '';
    socket.on('data', (part) => {
      text += part.toString();
    });
    socket.on('end', () => told(text));
  });
  expect(JSON.parse(reply)).toMatchObject({ ok: false });
});

describe('where the path of the state folder is too long for a socket', () => {
  const long = () => join(folder, 'a'.repeat(100));

  test('a short one is used and found', async () => {
    await mkdir(long());
    const path = await running(long());
    expect(Buffer.byteLength(path)).toBeLessThan(104);
    expect(await askConsole(long(), { ask: 'link' })).toMatchObject({ ok: true });
    await removeSocket(long());
    expect(existsSync(dirname(path))).toBe(false);
  });

  test('but not one that others could have put there', async () => {
    await mkdir(long());
    const path = await running(long());
    await chmod(dirname(path), 0o777);
    expect(await socketPath(long())).toBe(join(long(), 'console.sock'));
    await chmod(dirname(path), 0o700);
    await removeSocket(long());
  });

  test('and no other folder is ever removed', async () => {
    const other = await mkdtemp(join(tmpdir(), 'other-'));
    writeFileSync(join(folder, 'console.sock.path'), join(other, 'console.sock'));
    await removeSocket(folder);
    expect(existsSync(other)).toBe(true);
    await rm(other, { recursive: true });
  });
});

test('a state folder that others can enter is closed to them', async () => {
  await chmod(folder, 0o755);
  await makePrivate(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});
