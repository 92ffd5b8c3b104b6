import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The inputs of the pages' build. */
const folders = ['app', 'components', 'lib', 'public'];
export const inputFiles = [
  'instrumentation-client.ts',
  'next.config.js',
  'postcss.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Tests are no inputs of the build. @param {string} path */
const isTest = (path) => /\.test\.tsx?$/.test(path) || path.split(sep).includes('testing');

/**
 * The name of a build: the first 16 hex digits of a SHA-256 over paths and contents of its inputs, so that unchanged pages are not built again.
 * @param {string} root
 */
export function inputsHash(root) {
  const hash = createHash('sha256');
  const paths = [...folders.flatMap((folder) => filesUnder(root, folder)), ...inputFiles];
  for (const path of paths.filter((path) => !isTest(path)).sort()) {
    const contents = readFileSync(join(root, path));
    hash.update(`${path.split(sep).join('/')}\0${contents.length}\0`).update(contents);
  }
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} root @param {string} folder @returns {string[]} */
function filesUnder(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(join(root, path)).isFile());
}
