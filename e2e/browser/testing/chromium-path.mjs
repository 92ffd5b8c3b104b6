import { accessSync, constants, existsSync } from 'node:fs';

/** Debian's Chromium without its own windows: a tenth fewer seconds of the processor for the same pages (measured on two test files). */
export const headlessShell = '/usr/bin/chromium-headless-shell';
/** Debian's Chromium. Other distributions have theirs elsewhere. */
export const debiansChromium = '/usr/bin/chromium';

/** Where Chromium and its like are found without being asked for. Playwright's own builds are downloads, and not used. */
const usual = {
  linux: [
    headlessShell,
    debiansChromium,
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/opt/homebrew/bin/chromium',
  ],
};

/**
 * The browser for tests and screenshots: SIGNALBOX_CHROMIUM, CHROMIUM_PATH, else one that the system has. Plain JavaScript on Node 20:
 * `npm test` asks before anything is installed.
 * @returns {{ path: string } | { missing: string }} a program, or the sentence that says what to do
 */
export function findChromium(env = process.env, platform = process.platform) {
  for (const name of ['SIGNALBOX_CHROMIUM', 'CHROMIUM_PATH']) {
    const path = env[name];
    if (!path) continue;
    return isProgram(path) ? { path } : { missing: `${name} names ${path}, which is no program that can be run.` };
  }
  const path = usual[platform === 'darwin' ? 'darwin' : 'linux'].find((each) => existsSync(each));
  if (path !== undefined) return { path };
  return {
    missing:
      platform === 'darwin'
        ? 'No browser was found: install Google Chrome, or name a Chromium in SIGNALBOX_CHROMIUM.'
        : 'No browser was found: install Chromium (Debian: apt install chromium), or name one in SIGNALBOX_CHROMIUM.',
  };
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
