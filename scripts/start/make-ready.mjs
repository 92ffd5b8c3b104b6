import { join, relative } from 'node:path';
import { freshBundle } from '../../lib/cli/bundle.mjs';
import { npmCi, packagesMissing } from '../setup/packages.mjs';
import { withProgress } from '../setup/progress.mjs';
import { root } from '../setup/root.mjs';
import { build, buildFolder, isBuilt, lastBuild, markUsed } from './builds.mjs';
import { bundleCommands } from './bundled-commands.mjs';
import { inputsHash } from './inputs-hash.mjs';
import { alone } from './start-lock.mjs';

/** Installs missing packages, builds the pages if they changed, and resolves with the folder of the build. Rejects with sentences for the user. */
export async function makeReady() {
  const hash = readyBuild() ?? (await alone(join(root, '.next', 'start.lock'), sayWhoIsAwaited, installAndBuild));
  markUsed(hash);
  return buildFolder(hash);
}

/** The finished build of the present sources; null if packages or a build are missing. */
function readyBuild() {
  if (packagesMissing() !== null || freshBundle() === null) return null;
  const hash = inputsHash(root);
  return isBuilt(hash) ? hash : null;
}

const sayWhoIsAwaited = () =>
  void process.stderr.write('Another start is installing or building here; waiting for it.\n');

/** Resolves with the hash of the new build. */
async function installAndBuild() {
  const why = packagesMissing();
  if (why !== null) await withProgress(`Installing packages with npm (${why})`, npmCi);
  await bundleCommands();
  const hash = inputsHash(root);
  if (isBuilt(hash)) return hash;
  try {
    await withProgress('Building the pages, once for this version', () => build(hash));
    return hash;
  } catch (error) {
    const earlier = lastBuild();
    if (earlier === null) throw error;
    throw new Error(
      `${error instanceof Error ? error.message : error}\nAn earlier build is left as it was: bin/signalbox console --build ${relative(root, earlier)}`,
    );
  }
}
