import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Frame, type Page, type Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type AConsole, aConsole } from '../browser/testing/a-console.ts';
import { findChromium } from '../browser/testing/chromium-path.mjs';
import { disableFeatures } from '../browser/testing/disabled-features.ts';
import { canary, kubeconfig, stateOf } from './testing/a-door.ts';
import { actionsOf } from './testing/actions.ts';
import { attack, overflow, type Target } from './testing/attack.ts';
import { type HostileServer, hostileServer } from './testing/hostile-server.ts';
import { printLine } from './testing/print-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-pages-'));
let console: AConsole;
let hostile: HostileServer;
let browser: Browser;
/** One profile: the owner's, with the session. */
let context: BrowserContext;
let target: Target;
let session: string;
let before: Record<string, string>;
/** Answers of the console since the test began that it should not have given. */
let used: string[] = [];

beforeAll(async () => {
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
  [console, hostile, browser] = await Promise.all([
    aConsole({ kubeconfig: join(folder, 'kubeconfig') }),
    hostileServer(),
    launch(),
  ]);
  context = await browser.newContext();
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(await console.signInLink());
  await page.waitForURL(`${console.url}/`);
  await page.getByText(canary).first().waitFor();
  const [cookie] = await context.cookies(console.url);
  session = cookie?.value ?? '';
  const link = await page.locator('a[href^="/clusters/standard-"]').first().getAttribute('href');
  target = {
    url: console.url,
    host: new URL(console.url).host,
    slug: /standard-[0-9a-f]{8}/.exec(link ?? '')?.[0] ?? '',
    action: actionsOf(inject('consoleBuild')).find(({ name }) => name === 'enableEbpf')?.id ?? '',
    cookieName: cookie?.name ?? '',
    only: null,
  };
  await page.close();
  before = stateOf(join(console.state, 'signalbox'));
  context.on('response', (response) => {
    if (new URL(response.url()).host === target.host && isUse(response))
      used.push(`${response.request().resourceType()} ${response.url()}: ${response.status()}`);
  });
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([console?.close(), hostile?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Launches like theBrowser(), with foreign names that resolve to this machine, as an attacker's DNS could. */
function launch(): Promise<Browser> {
  const found = findChromium();
  if ('missing' in found) throw new Error(found.missing);
  return chromium.launch({
    executablePath: found.path,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [disableFeatures, '--disable-gpu', '--no-first-run', '--host-resolver-rules=MAP *.example 127.0.0.1'],
  });
}

const total = { tried: 0, got: 0 };
const nothing = /^(?:nothing|opaque|error|refused|no answer)/;

/** Opens the page, attacks from it, and expects that the attack got nothing. */
async function hold(open: (page: Page) => Promise<Page | Frame>): Promise<void> {
  used = [];
  const page = await context.newPage();
  page.on('dialog', (dialog) => dialog.dismiss().catch(() => undefined));
  const from = await open(page);
  const loot = await from.evaluate(attack, target);
  const got = Object.entries(loot).filter(
    ([, result]) => !nothing.test(result) || result.includes(canary) || result.includes(session),
  );
  total.tried += Object.keys(loot).length;
  total.got += got.length;
  for (const one of context.pages()) await one.close();
  expect(got.map(([name, result]) => `${name}: ${result.slice(0, 200)}`)).toEqual([]);
  expect(used).toEqual([]);
  expect(Object.keys(loot).length).toBeGreaterThan(40);
}

/** Whether an answer is more than a refusal, a redirect to the sign-in, or its page. A page in a window of its own is allowed, because only the user sees it. */
function isUse(response: Response): boolean {
  const { pathname } = new URL(response.url());
  const isLed = response.status() === 303 && response.request().method() === 'GET';
  return !isInItsOwnWindow(response) && response.status() < 400 && !isLed && pathname !== '/sign-in';
}

/** Whether the answer is a page in a window of its own, or a resource of such a page. */
function isInItsOwnWindow(response: Response): boolean {
  const request = response.request();
  try {
    const isTop = request.frame().parentFrame() === null;
    if (request.isNavigationRequest()) return isTop && request.method() === 'GET';
    return isTop && new URL(request.frame().url()).host === target.host;
  } catch {
    // The request is of a window that has no frame yet, or of a worker.
    return request.isNavigationRequest() && request.method() === 'GET';
  }
}

describe('from a page of', () => {
  const named = (name: string) => `http://${name}:${hostile.port}/`;
  test.each<[string, () => string]>([
    ['another port of 127.0.0.1', () => named('127.0.0.1')],
    ['another port of localhost', () => named('localhost')],
    ['another port of [::1]', () => named('[::1]')],
    ['another name below localhost', () => named('evil.localhost')],
    ['a name below its own', () => named(`www.${new URL(target.url).hostname}`)],
    ['its own name on another port, were it known', () => named(new URL(target.url).hostname)],
    ['another site', () => named('evil.example')],
    ['the machine, by another spelling', () => named('127.1')],
    ['another address of the machine', () => named('0.0.0.0')],
    ['a data: address', () => `data:text/html,${encodeURIComponent('<title>hostile</title>')}`],
    [
      'a file',
      () => {
        writeFileSync(join(folder, 'hostile.html'), '<!doctype html><title>hostile</title>');
        return pathToFileURL(join(folder, 'hostile.html')).href;
      },
    ],
    ['nowhere', () => 'about:blank'],
  ])('%s', (_, address) =>
    hold(async (page) => {
      await page.goto(address());
      return page;
    }),
  );

  test.each([
    ['a sandboxed frame', { sandbox: 'allow-scripts allow-forms allow-popups allow-modals', srcdoc: '<p>x</p>' }],
    ['a frame without an address', { srcdoc: '<p>x</p>' }],
    [
      'a sandboxed frame whose windows are free',
      { sandbox: 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-forms', src: '/' },
    ],
  ])('%s', (_, fields) =>
    hold(async (page) => {
      await page.goto(named('127.0.0.1'));
      await page.evaluate((given) => {
        const frame = document.createElement('iframe');
        for (const [name, value] of Object.entries(given)) frame.setAttribute(name, value);
        document.body.append(frame);
      }, fields);
      await page.waitForTimeout(300);
      return page.frames()[1] ?? page;
    }),
  );

  test('a blob of another port', () =>
    hold(async (page) => {
      await page.goto(named('127.0.0.1'));
      await page.evaluate(() => {
        location.href = URL.createObjectURL(new Blob(['<!doctype html><title>blob</title>'], { type: 'text/html' }));
      });
      await page.waitForURL(/^blob:/);
      return page;
    }));
});

test('a name that was rebound to the console gets nothing from it, whatever its pages ask', async () => {
  const port = new URL(target.url).port;
  for (const name of ['rebind.example', '127.0.0.1', 'localhost', '[::1]', 'evil.localhost']) {
    const page = await context.newPage();
    const first = await page.goto(`http://${name}:${port}/`);
    expect([name, first?.status()]).toEqual([name, 421]);
    const responses = await page.evaluate(async ({ slug, action }) => {
      const asks: [string, RequestInit][] = [
        ['/', {}],
        [`/api/clusters/${slug}/events`, {}],
        [`/api/clusters/${slug}/flows`, {}],
        [
          `/clusters/${slug}`,
          { method: 'POST', headers: { 'Next-Action': action }, body: JSON.stringify([slug, null]) },
        ],
        ['/sign-in', { method: 'POST', body: '{"key":"x"}' }],
        ['/sign-in', {}],
      ];
      return Promise.all(
        asks.map(async ([path, init]) => fetch(path, init).then(async (one) => `${one.status} ${await one.text()}`)),
      );
    }, target);
    total.tried += responses.length + 1;
    expect(
      responses.filter((one) => !one.startsWith('421 ') || one.includes(canary) || one.includes(target.host)),
    ).toEqual([]);
    await page.close();
  }
});

// From a subdomain of the console's name, which is secret, a flood of cookies would sign the owner out: browsers count both as one site.
test('whoever floods the cookies of another name leaves the session alone', async () => {
  for (const name of ['127.0.0.1', 'localhost', '[::1]', 'evil.localhost', 'evil.example']) {
    const page = await context.newPage();
    await page.goto(`http://${name}:${hostile.port}/`);
    await page.evaluate(overflow);
    total.tried++;
    await page.close();
  }
  expect((await context.cookies(console.url)).map(({ value }) => value)).toContain(session);
});

test('afterwards nothing was written, and the owner is still signed in', async () => {
  expect(stateOf(join(console.state, 'signalbox'))).toEqual(before);
  const page = await context.newPage();
  await page.goto(`${console.url}/`);
  await page.getByText(canary).first().waitFor();
  await page.close();
  printLine(`hostile pages: ${total.tried} attacks tried, ${total.got} got something`);
});

test('the same attacks from a page of the console itself read and write: only its origin tells them apart', async () => {
  const page = await context.newPage();
  await page.goto(`${console.url}/reference`);
  const only = [
    'fetch the first page',
    'event stream',
    'call an action',
    'an icon as a picture',
    'frame of the sign-in',
  ];
  const loot = await page.evaluate(attack, { ...target, only });
  await page.close();
  expect(loot['fetch the first page']).toContain(canary);
  expect(loot['event stream']).toBe('open');
  expect(loot['call an action']).toMatch(/^200 /);
  expect(loot['an icon as a picture']).toBe('loaded');
  // Even then no frame shows any of it.
  expect(loot['frame of the sign-in']).toMatch(nothing);
  expect(stateOf(join(console.state, 'signalbox'))).not.toEqual(before);
});
