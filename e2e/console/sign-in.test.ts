import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RunningConsole, runningConsole, signalbox } from './testing/console-process.ts';
import { ask, signIn } from './testing/http.ts';

const state = mkdtempSync(join(tmpdir(), 'signalbox-session-'));
let running: RunningConsole;
beforeAll(async () => {
  running = await runningConsole(inject('consoleBuild'), state);
});
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended;
  rmSync(state, { recursive: true, force: true });
});

const newKey = async () => {
  const link = signalbox(['console', 'link'], state);
  await link.ended;
  return /#key=(\S+)/.exec(link.out())?.[1] ?? '';
};
const isSignedIn = async (cookie: string) => (await ask(running, '/', { headers: { Cookie: cookie } })).status === 200;

test('the link that was printed opens one session', async () => {
  expect((await ask(running, '/sign-in')).status).toBe(200);
  const first = await signIn(running, running.key);
  expect(first.status).toBe(200);
  expect(first.headers['set-cookie']?.[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  expect(await isSignedIn(first.cookie)).toBe(true);
  const second = await signIn(running, running.key);
  expect([second.status, JSON.parse(second.body).code, second.headers['set-cookie']]).toEqual([
    403,
    'key.used',
    undefined,
  ]);
});

test('a wrong key opens none', async () => {
  const reply = await signIn(running, 'A'.repeat(43));
  expect([reply.status, JSON.parse(reply.body).code, reply.headers['set-cookie']]).toEqual([
    403,
    'key.wrong',
    undefined,
  ]);
});

test('a GET never uses a key up', async () => {
  const key = await newKey();
  await ask(running, `/sign-in?key=${key}`);
  await ask(running, `/sign-in?key=${key}`, { method: 'HEAD' });
  expect((await signIn(running, key)).status).toBe(200);
});

test('a forged cookie is none', async () => {
  const { cookie } = await signIn(running, await newKey());
  const [name, value = ''] = cookie.split('=', 2);
  const [payload = '', signature = ''] = value.split('.');
  const other = Buffer.from(JSON.stringify({ id: 'somebody1', since: 0, until: 9e15 })).toString('base64url');
  for (const forged of ['x', `${other}.${signature}`, `${payload}.${'A'.repeat(43)}`, payload, `${payload}.`])
    expect([forged, await isSignedIn(`${name}=${forged}`)]).toEqual([forged, false]);
  expect(await isSignedIn(cookie)).toBe(true);
});

test('a sign-out ends the session and its streams', async () => {
  const { cookie } = await signIn(running, await newKey());
  const headers = { Host: running.host, Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
  const page = await ask(running, '/', { headers });
  const slug = /\/clusters\/(standard-[0-9a-f]{8})/.exec(page.body)?.[1];
  expect(slug).toBeDefined();
  const cut = new Promise<string>((resolve, reject) => {
    const stream = request({
      host: '127.0.0.1',
      port: running.port,
      path: `/api/clusters/${slug}/events`,
      headers,
      agent: false,
    });
    stream.on('response', (response) => {
      if (!response.headers['content-type']?.startsWith('text/event-stream'))
        reject(new Error(`${response.statusCode}`));
      response.once('data', () => {
        void ask(running, '/sign-out', {
          method: 'POST',
          headers: { ...headers, Origin: running.url },
          body: '',
        });
      });
      response.on('error', () => resolve('cut'));
      response.on('end', () => resolve('ended'));
    });
    stream.on('error', reject);
    stream.end();
  });
  expect(await cut).toBe('cut');
  expect(await isSignedIn(cookie)).toBe(false);
});

test('a session survives the console, a link does not', async () => {
  const key = await newKey();
  const { cookie } = await signIn(running, await newKey());
  running.child.kill('SIGKILL');
  await running.ended;
  running = await runningConsole(inject('consoleBuild'), state, ['--port', String(running.port)]);
  expect(await isSignedIn(cookie)).toBe(true);
  expect(JSON.parse((await signIn(running, key)).body).code).toBe('key.wrong');
});

test('no key and no cookie is in the log', async () => {
  const key = await newKey();
  const { cookie } = await signIn(running, key);
  await ask(running, `/nowhere?key=${key}`, { headers: { Cookie: cookie } });
  await ask(running, `/api/nowhere?key=${key}`, { headers: { Cookie: cookie } });
  const log = readFileSync(join(state, 'signalbox', 'console.log'), 'utf8');
  expect(log).toContain('refused GET /api/nowhere: site.foreign');
  expect(log).not.toContain(key);
  expect(log).not.toContain(cookie.split('=', 2)[1]);
});
