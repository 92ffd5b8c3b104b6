import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium-path.mjs';
import { disableFeatures } from './disabled-features.ts';

let launched: Promise<Browser> | undefined;

/** One browser per worker, closed with it; every page has its own context. */
export function theBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

async function launch(): Promise<Browser> {
  const found = findChromium();
  if ('missing' in found) throw new Error(found.missing);
  return chromium.launch({
    executablePath: found.path,
    headless: true,
    // Chromium's sandbox needs user namespaces or a setuid helper; root has neither in a container.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      disableFeatures,
      '--disable-gpu',
      // Left alone the headless shell hints fonts, so that texts are wider than in a browser with windows: lines break elsewhere, and boxes scroll.
      '--font-render-hinting=none',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export async function closeBrowser(): Promise<void> {
  await (await launched)?.close();
  launched = undefined;
}
