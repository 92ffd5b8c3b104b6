/** `node e2e/controlplane/build.ts`: builds what the control plane needs, for set-up scripts and CI. Exit 1 with a sentence when it cannot. */
import { ensureBinaries, MissingTools } from './binaries.ts';

try {
  for (const [name, path] of Object.entries(await ensureBinaries())) process.stdout.write(`${name}\t${path}\n`);
} catch (error) {
  if (!(error instanceof MissingTools)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
