import type { BrowserContext, Page } from 'playwright-core';
import { theBrowser } from './browser.ts';
import type { AConsole } from './console-process.ts';
import { type Faults, watchFaults } from './faults.ts';

export type Theme = 'light' | 'dark';

export type PageWish = {
  theme?: Theme;
  /** Of the window, in CSS pixels. */
  width?: number;
  height?: number;
  session?: 'signed-in' | 'none';
  /** A cable between this browser and the console: see cable.ts. */
  through?: { readonly server: string };
  motion?: 'reduce' | 'no-preference';
};

/** A browser of its own, signed in, and its first page. */
export type APage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Allows faults that the test provokes. */
  readonly faults: Faults;
};

const heights = { wide: 900, narrow: 844 };

/** Whoever opens it closes its context. */
export async function openPage(console: AConsole, wish: PageWish = {}): Promise<APage> {
  const browser = await theBrowser();
  const width = wish.width ?? 1440;
  const context = await browser.newContext({
    baseURL: console.url,
    viewport: { width, height: wish.height ?? (width < 600 ? heights.narrow : heights.wide) },
    colorScheme: wish.theme ?? 'light',
    reducedMotion: wish.motion ?? 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...(wish.through ? { proxy: { server: wish.through.server } } : {}),
  });
  context.setDefaultTimeout(15_000);
  const faults = await watchFaults(context, console.url);
  const page = await context.newPage();
  if (wish.session !== 'none') await signIn(page, await console.signInLink());
  return { page, context, faults };
}

/** Opens the link, as its owner does, and waits until the page is there that it leads to. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}
