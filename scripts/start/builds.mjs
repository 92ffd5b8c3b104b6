import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24 } from '../node24-path.mjs';
import { run } from '../setup/child.mjs';
import { root } from '../setup/root.mjs';
import { inputsHash } from './inputs-hash.mjs';

/** The file that is written last: a folder without it is an interrupted or failed build. lib/console/http/find-build.ts looks for it too. */
const finishedMark = 'signalbox-finished';
const kept = 3;

const folder = join(root, '.next');
/** @param {string} hash */
export const buildFolder = (hash) => join(folder, hash);
/** @param {string} hash */
export const isBuilt = (hash) => existsSync(join(buildFolder(hash), finishedMark));

/** Updates the time of a build's last use, which decides about the builds to keep. @param {string} hash */
export function markUsed(hash) {
  const now = new Date();
  utimesSync(join(buildFolder(hash), finishedMark), now, now);
}

/**
 * Builds the pages into `.next/<hash>`. Next writes the folder's path into its output, so a build cannot be made elsewhere and moved into place; instead
 * the mark shows that it is finished. A failed build leaves earlier ones alone. Throws a sentence with Next's output, or a sentence if a source has
 * changed meanwhile, because the build would be of neither state.
 * @param {string} hash
 */
export async function build(hash) {
  mkdirSync(folder, { recursive: true });
  // Next changes the tsconfig that it gets, so it gets one of its own.
  writeFileSync(join(folder, 'tsconfig.json'), '{ "extends": "../tsconfig.json" }\n');
  const log = join(folder, `${hash}.log`);
  rmSync(log, { force: true });
  rmSync(buildFolder(hash), { recursive: true, force: true });
  const { code, tail } = await run(node24(), [join('node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
    output: { log },
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      SIGNALBOX_BUILD: join('.next', hash),
      NO_COLOR: '1',
    },
  });
  if (code !== 0) throw new Error(`${tail.trim()}\n\nThe pages were not built; all that was written is in ${log}`);
  if (inputsHash(root) !== hash)
    throw new Error('A source was changed while the pages were built from it. Run this again.');
  // A cache of 30 MB that only another build in this folder could use.
  rmSync(join(buildFolder(hash), 'cache'), { recursive: true, force: true });
  rmSync(log, { force: true });
  writeFileSync(join(buildFolder(hash), finishedMark), '');
  prune(hash);
}

/** The path of the finished build that was used last; null if there is none. @returns {string | null} */
export function lastBuild() {
  return finished()[0]?.path ?? null;
}

/** Removes old builds except this one and those used last. Removes only folders that are named by a hash. @param {string} hash */
function prune(hash) {
  const keep = new Set([buildFolder(hash), ...finished().map(({ path }) => path)].slice(0, kept));
  for (const name of readdirSync(folder))
    if (/^[0-9a-f]{16}$/.test(name) && !keep.has(join(folder, name)))
      rmSync(join(folder, name), { recursive: true, force: true });
}

function finished() {
  return (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, finishedMark)))
    .map((path) => ({ path, usedMs: statSync(join(path, finishedMark)).mtimeMs }))
    .sort((a, b) => b.usedMs - a.usedMs);
}
