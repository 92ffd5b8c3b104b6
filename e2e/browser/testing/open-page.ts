import type { BrowserContext, Page } from 'playwright-core';
import { signIn as signInAt } from '#e2e/console/testing/http.ts';
import { orAborted } from '#lib/base/async/or-aborted.ts';
import { theBrowser } from './browser.ts';
import type { AConsole } from './console-process.ts';
import { type Faults, watchFaults } from './faults.ts';

export type Theme = 'light' | 'dark';

export type PageOptions = {
  theme?: Theme;
  /** Of the window, in CSS pixels. */
  width?: number;
  height?: number;
  session?: 'signed-in' | 'none';
  /** A cable between this browser and the console: see cable.ts. */
  through?: { readonly server: string };
  motion?: 'reduce' | 'no-preference';
};

/** A browser of its own, signed in, and its first page, which is empty yet. */
export type APage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Allows faults that the test provokes. */
  readonly faults: Faults;
};

/** Long, because a busy machine is slow, and a shorter time would only fail tests that would still pass. */
const longestMs = 180_000;
const heights = { wide: 900, narrow: 844 };

/** Opens a page in a browser context of its own, which the caller closes. */
export async function openPage(console: AConsole, options: PageOptions = {}): Promise<APage> {
  const browser = await theBrowser();
  const width = options.width ?? 1440;
  const context = await browser.newContext({
    baseURL: console.url,
    viewport: { width, height: options.height ?? (width < 600 ? heights.narrow : heights.wide) },
    colorScheme: options.theme ?? 'light',
    reducedMotion: options.motion ?? 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...(options.through ? { proxy: { server: options.through.server } } : {}),
  });
  context.setDefaultTimeout(longestMs);
  const faults = await watchFaults(context, console.url);
  if (options.session !== 'none') await context.addCookies([{ ...(await sessionOf(console)), url: console.url }]);
  const page = await context.newPage();
  // Also what axe evaluates: it asks the frame, as the page does itself.
  limitAnswers(page.mainFrame(), ['evaluate', 'title']);
  limitAnswers(page.keyboard, ['press', 'type']);
  return { page, context, faults };
}

/** Limits methods of `owner` that have no time limit of their own. */
function limitAnswers(owner: object, names: readonly string[]): void {
  for (const name of names) {
    const method: (...args: unknown[]) => Promise<unknown> = Reflect.get(owner, name);
    Reflect.set(owner, name, (...args: unknown[]) => inTime(name, method.apply(owner, args)));
  }
}

/**
 * What a page answers, or an error after the longest wait that says what did not come: without it the test ends by its own limit, which does not say where
 * it waited.
 */
export async function inTime<T>(what: string, answer: Promise<T>): Promise<T> {
  const end = new AbortController();
  const late = new Error(`The page did not answer ${what} within ${longestMs / 1000} s.`);
  const timer = setTimeout(() => end.abort(late), longestMs);
  return orAborted(answer, end.signal).finally(() => clearTimeout(timer));
}

/** One session a console: what happens at a sign-in is sign-in.test.ts's, and a link takes half a second to ask for. */
const sessions = new WeakMap<AConsole, Promise<Cookie>>();
type Cookie = { readonly name: string; readonly value: string };

export function sessionOf(console: AConsole): Promise<Cookie> {
  const known = sessions.get(console) ?? signIn(console);
  sessions.set(console, known);
  return known;
}

/** A session of its own, as a cookie. */
export async function signIn(console: AConsole): Promise<Cookie> {
  const key = (await console.signInLink()).split('#key=')[1] ?? '';
  const { cookie, status, body } = await signInAt({ port: console.port, host: new URL(console.url).host }, key);
  const [name, value] = cookie.split('=');
  if (name === undefined || value === undefined) throw new Error(`no sign-in: ${status} ${body}`);
  return { name, value };
}
