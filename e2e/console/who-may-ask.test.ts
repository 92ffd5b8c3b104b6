import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type RunningConsole, runningConsole } from './testing/console-process.ts';
import { ask, askRaw, signIn } from './testing/http.ts';

const state = mkdtempSync(join(tmpdir(), 'signalbox-door-'));
let running: RunningConsole;
let cookie: string;
let own: string;
beforeAll(async () => {
  running = await runningConsole(inject('consoleBuild'), state);
  own = running.url;
  ({ cookie } = await signIn(running, running.key));
});
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended;
  rmSync(state, { recursive: true, force: true });
});

const code = (body: string): unknown => JSON.parse(body).code;
const action = { method: 'POST', body: '[]' };
const actionHeaders = () => ({
  Cookie: cookie,
  'Next-Action': '0'.repeat(42),
  'Content-Type': 'text/plain;charset=UTF-8',
});

describe('with a session', () => {
  test('pages are there', async () => {
    expect(await ask(running, '/', { headers: { Cookie: cookie } })).toMatchObject({ status: 200 });
  });

  test('a foreign Host gets nothing', async () => {
    for (const Host of [
      'evil.example',
      `evil.example:${running.port}`,
      `127.0.0.1:${running.port}`,
      `localhost:${running.port}`,
      `[::1]:${running.port}`,
      `${running.host}.evil.example`,
    ]) {
      const reply = await ask(running, '/', { headers: { Cookie: cookie, Host } });
      expect([Host, reply.status, code(reply.body)]).toEqual([Host, 421, 'host.foreign']);
    }
  });

  test('what proxies say is not believed', async () => {
    const headers = {
      Cookie: cookie,
      Host: 'evil.example',
      'X-Forwarded-Host': running.host,
      Forwarded: `host=${running.host}`,
    };
    expect((await ask(running, '/', { headers })).status).toBe(421);
    // An action whose Origin and X-Forwarded-Host agree is what Next alone would let through.
    const forged = { ...actionHeaders(), Origin: 'http://evil.example', 'X-Forwarded-Host': 'evil.example' };
    expect((await ask(running, '/', { ...action, headers: forged })).status).toBe(403);
  });

  test('nobody steers Next by its internal headers', async () => {
    const headers = { 'X-Middleware-Subrequest': 'middleware', 'X-Matched-Path': '/', 'X-Now-Route-Matches': '1=x' };
    expect((await ask(running, '/', { headers })).status).toBe(303);
    expect((await ask(running, '/nowhere', { headers: { ...headers, Cookie: cookie } })).status).toBe(404);
  });

  test('an action from elsewhere is refused, whatever it is', async () => {
    for (const origin of [
      {},
      { Origin: 'null' },
      { Origin: 'http://evil.example' },
      { Origin: `http://127.0.0.1:${running.port}` },
      { Origin: own.replace(/\d+$/, '1') },
    ]) {
      const reply = await ask(running, '/', { ...action, headers: { ...actionHeaders(), ...origin } });
      expect([origin, reply.status, code(reply.body)]).toEqual([origin, 403, 'origin.foreign']);
    }
  });

  test('an action of our own page reaches Next, which does not know this one', async () => {
    const reply = await ask(running, '/', { ...action, headers: { ...actionHeaders(), Origin: own } });
    expect([reply.status, reply.body]).toEqual([409, 'Server Action unavailable.']);
  });

  test('streams and data are for our pages only', async () => {
    const get = (headers: Record<string, string>) =>
      ask(running, '/api/nowhere', { headers: { Cookie: cookie, ...headers } });
    expect((await get({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(404);
    expect((await get({ Origin: own })).status).toBe(404);
    for (const headers of [
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
    ]) {
      const reply = await get(headers);
      expect([headers, reply.status, code(reply.body)]).toEqual([headers, 403, 'site.foreign']);
    }
  });

  test('bodies are short and say their length', async () => {
    const headers = { Cookie: cookie, Origin: own };
    expect(
      (
        await ask(running, '/', {
          method: 'POST',
          headers: { ...headers, 'Transfer-Encoding': 'chunked' },
          body: 'x',
        })
      ).status,
    ).toBe(411);
    const head = `POST / HTTP/1.1\r\nHost: ${running.host}\r\nOrigin: ${own}\r\nCookie: ${cookie}\r\nContent-Length: 99999999\r\n\r\n`;
    expect(await askRaw(running, head)).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('without a session', () => {
  test('pages lead to the sign-in, and back', async () => {
    const reply = await ask(running, '/clusters/x?tab=1');
    expect([reply.status, reply.headers.location]).toEqual([303, '/sign-in?to=%2Fclusters%2Fx%3Ftab%3D1']);
  });

  test('data, streams and actions are told so', async () => {
    const replies = await Promise.all([
      ask(running, '/api/clusters/x/events', { headers: { 'Sec-Fetch-Site': 'same-origin' } }),
      ask(running, '/api/clusters/x/flows', { headers: { 'Sec-Fetch-Site': 'same-origin' } }),
      ask(running, '/clusters/x', { headers: { RSC: '1' } }),
      ask(running, '/', { ...action, headers: { ...actionHeaders(), Cookie: '', Origin: own } }),
      ask(running, '/sign-out', { method: 'POST', headers: { Origin: own }, body: '' }),
    ]);
    expect(replies.map(({ status, body }) => [status, code(body)])).toEqual(Array(5).fill([401, 'session.missing']));
  });

  test('an action that is put to the sign-in page never reaches Next', async () => {
    const reply = await ask(running, '/sign-in', {
      ...action,
      headers: { ...actionHeaders(), Cookie: '', Origin: own },
    });
    expect([reply.status, code(reply.body)]).toEqual([400, 'body.form']);
  });

  test.each([
    ['/_next/static/..%2f..%2fclusters', 303],
    ['/_next/static/../../', 400],
    ['/_next/image?url=%2F&w=16&q=1', 303],
    ['/_next/data/x/index.json', 303],
  ])('%s is not public', async (path, status) => {
    expect((await ask(running, path)).status).toBe(status);
  });
});
