import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RunningConsole, runningConsole } from './testing/console-process.ts';
import { ask, type Reply, signIn } from './testing/http.ts';

const state = mkdtempSync(join(tmpdir(), 'signalbox-policy-'));
let running: RunningConsole;
let cookie: string;
beforeAll(async () => {
  running = await runningConsole(inject('consoleBuild'), state);
  ({ cookie } = await signIn(running, running.key));
});
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended;
  rmSync(state, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  ask(running, path, { headers: { Cookie: cookie, ...headers } });
const directive = (reply: Reply, name: string) =>
  reply.headers['content-security-policy']
    ?.toString()
    .split('; ')
    .find((one) => one.startsWith(`${name} `)) ?? '';
const nonceOf = (reply: Reply) => /'nonce-([^']+)'/.exec(directive(reply, 'script-src'))?.[1] ?? '';

test.each(['/', '/sign-in', '/nowhere', '/clusters/nowhere-00000000'])(
  '%s runs only scripts and styles with its own nonce',
  async (path) => {
    const reply = await get(path);
    expect(reply.headers['content-type']).toContain('text/html');
    const nonce = nonceOf(reply);
    expect(nonce).toMatch(/^[\w+/]{22}==$/);
    expect(directive(reply, 'script-src')).toBe(`script-src 'self' 'nonce-${nonce}'`);
    expect(directive(reply, 'style-src')).toBe(`style-src 'self' 'nonce-${nonce}'`);
    expect(directive(reply, 'default-src')).toBe("default-src 'none'");
    const scripts = [...reply.body.matchAll(/<script\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
    expect(scripts.length).toBeGreaterThan(1);
    expect(scripts.filter((attributes) => !attributes.includes(`nonce="${nonce}"`))).toEqual([]);
    const styles = [...reply.body.matchAll(/<style\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
    expect(styles.filter((attributes) => !attributes.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(reply.body.replace(/<script\b[\s\S]*?<\/script>/g, '')).not.toMatch(/\s(style|on[a-z]+)="/);
  },
);

test('each answer has a nonce of its own', async () => {
  const [first, second] = await Promise.all([get('/'), get('/')]);
  expect(nonceOf(first)).not.toBe(nonceOf(second));
});

test('every answer says how it may be used, refusals and redirects too', async () => {
  const css = /href="(\/_next\/static\/[^"]+\.css)"/.exec((await get('/sign-in')).body)?.[1] ?? '';
  const replies = await Promise.all([
    get('/'),
    get(css),
    get('/nowhere'),
    get('/api/nowhere', { 'Sec-Fetch-Site': 'same-origin' }),
    get('/', { Cookie: '' }),
    get('/', { Host: 'evil.example' }),
    ask(running, '/', { method: 'POST', body: '' }),
    signIn(running, 'x'),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 404, 404, 303, 421, 403, 403]);
  for (const { headers } of replies) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
  expect(replies.map(({ headers }) => headers['cache-control']?.includes('no-store') ?? false)).toEqual([
    true,
    false,
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(replies[1]?.headers['cache-control']).toContain('immutable');
});

test('no page was made beforehand: it could have no nonce', () => {
  const manifest = JSON.parse(readFileSync(join(inject('consoleBuild'), 'prerender-manifest.json'), 'utf8'));
  // Next makes this one itself, whatever is asked; none of its inline scripts runs here.
  expect(Object.keys(manifest.routes).filter((route) => route !== '/_global-error')).toEqual([]);
});

test('nothing names another origin', async () => {
  const { body } = await get('/');
  expect(body.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g) ?? []).toEqual([]);
});
