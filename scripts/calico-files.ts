/** Downloads the public Calico files of the test suites that are missing. Exits with 1 and a sentence if a file is unavailable. */
import { ReleaseError, releaseFile } from '#lib/release/index.ts';

/** The releases whose operator the tests emulate (`--like`), and the files that make a cluster. */
const versions = ['v3.31.4', 'v3.30.7'];
const files = ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml'];

try {
  for (const version of versions) for (const file of files) await releaseFile(version, file);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
