import { writeFileSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { askConsole } from '../ask-console.ts';
import { lockInstance } from './instance-lock.ts';
import { type Answers, answerIn } from './instance-server.ts';

let folder: string;
const servers: Server[] = [];
beforeEach(() => {
  folder = testFolder('instance');
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
});

const answers: Answers = {
  link: async () => ({ ok: true, link: 'http://127.0.0.1:3000/sign-in#key=x', build: '/b' }),
  status: async () => ({ ok: true, pid: 1, port: 3000, since: '', log: '' }),
  flows: async () => ({ ok: false, code: 'test', message: 'Nothing is kept here.' }),
  traffic: async () => ({ ok: true, traffic: null }),
  apply: async ({ plan, cluster }) => ({ ok: true, cluster: JSON.stringify(cluster), run: JSON.stringify(plan) }),
};

async function running(at = folder, as = answers): Promise<string> {
  servers.push(
    await answerIn(at, as, async () => ({ ok: false, code: 'test', message: 'No sandbox is served here.' })),
  );
  return join(at, 'console.sock');
}

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
  const reply = await new Promise<string>((resolve) => {
    const socket = connect(path, () => socket.write(`${line}\n`));
    let text = '';
    socket.on('data', (part) => {
      text += part.toString();
    });
    socket.on('end', () => resolve(text));
  });
  expect(JSON.parse(reply)).toMatchObject({ ok: false });
});

test.runIf(process.platform === 'linux')(
  'where the path of the state folder is too long for a socket, it is shortened',
  async () => {
    const long = join(folder, 'a'.repeat(100));
    await mkdir(long);
    await running(long);
    expect((await stat(join(long, 'console.sock'))).mode & 0o777).toBe(0o600);
    expect(await askConsole(long, { ask: 'link' })).toMatchObject({ ok: true });
  },
);
