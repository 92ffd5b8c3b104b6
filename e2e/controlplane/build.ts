/**
 * `node e2e/controlplane/build.ts`: builds what the control plane needs, and Helm, for set-up scripts and CI. Exit 1 with a sentence when it cannot.
 * Tests would build Helm themselves, beside all others: on two busy cores that took 17 minutes, more than a test may wait.
 */
import { ensureBinaries, ensureHelm, MissingTools } from './binaries.ts';
import { helmModules } from './tools.ts';

try {
  for (const [name, path] of Object.entries(await ensureBinaries())) process.stdout.write(`${name}\t${path}\n`);
  for (const which of Object.keys(helmModules) as (keyof typeof helmModules)[])
    process.stdout.write(`${which}\t${await ensureHelm(which)}\n`);
} catch (error) {
  if (!(error instanceof MissingTools)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
