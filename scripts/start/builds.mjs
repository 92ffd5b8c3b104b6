import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24 } from '../node24-path.mjs';
import { run } from '../setup/child.mjs';
import { root } from '../setup/root.mjs';
import { inputsHash } from './inputs-hash.mjs';

/** Written last: a folder without it is a build that was interrupted or failed. lib/console/http/find-build.ts looks for it too. */
const finishedMark = 'signalbox-finished';
const kept = 3;

const folder = join(root, '.next');
/** @param {string} hash */
export const buildFolder = (hash) => join(folder, hash);
/** @param {string} hash */
export const isBuilt = (hash) => existsSync(join(buildFolder(hash), finishedMark));

/** The time of its last use decides which builds are kept. @param {string} hash */
export function markUsed(hash) {
  const now = new Date();
  utimesSync(join(buildFolder(hash), finishedMark), now, now);
}

/**
 * Builds the pages into `.next/<hash>`. Next writes the path of the folder into what it builds, so that it cannot be built elsewhere and moved:
 * the mark makes it count. A build that fails touches none of the earlier ones. Throws a sentence and Next's own words,
 * or that a source was changed meanwhile: what was built is of neither.
 * @param {string} hash
 */
export async function build(hash) {
  mkdirSync(folder, { recursive: true });
  // Next writes into the tsconfig that it is given; this one is its own.
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
  // 30 MB that only another build in this folder could use.
  rmSync(join(buildFolder(hash), 'cache'), { recursive: true, force: true });
  rmSync(log, { force: true });
  writeFileSync(join(buildFolder(hash), finishedMark), '');
  prune(hash);
}

/** The finished build that was used last, if any. @returns {string | null} */
export function lastBuild() {
  return finished()[0]?.path ?? null;
}

/** Keeps this one and those used last. Only folders that are named by a hash are ours to remove. @param {string} hash */
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
