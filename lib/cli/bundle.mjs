import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * @typedef {object} Bundle what scripts/start/bundle-commands.mjs made of our TypeScript and its packages
 * @property {string} root where the checkout stood then: a bundle holds paths of it
 * @property {string} entry the file that has `runCli`, from `root`
 * @property {readonly (readonly [path: string, bytes: number, mtimeMs: number])[]} inputs all that it was made of, as they were then
 */

const checkout = fileURLToPath(new URL('../../', import.meta.url));

/** Kept in the checkout, as the build of the pages is: whoever can change it can change the sources too. */
export const bundlesIn = (root = checkout) => join(root, '.bundle');
export const currentBundle = (root = checkout) => join(bundlesIn(root), 'current.json');

/**
 * URL of the bundle of these very sources; null where there is none, or where one of them has changed since: then they themselves are run. It halves
 * the time of a command, of which most went by finding and reading a thousand files.
 * @returns {string | null}
 */
export function freshBundle(root = checkout) {
  try {
    /** @type {Bundle} */
    const bundle = JSON.parse(readFileSync(currentBundle(root), 'utf8'));
    if (bundle.root !== root || !bundle.inputs.every((input) => isAsItWas(root, input))) return null;
    const entry = join(root, bundle.entry);
    return statSync(entry).isFile() ? pathToFileURL(entry).href : null;
  } catch {
    // Never made, or half removed.
    return null;
  }
}

/** @param {string} root @param {Bundle['inputs'][number]} input */
function isAsItWas(root, [path, bytes, mtimeMs]) {
  const { size, mtimeMs: now } = statSync(join(root, path));
  return size === bytes && now === mtimeMs;
}
