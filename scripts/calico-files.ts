/** Sees to it that the public Calico files of the test suites are at hand. Exit 1 with a sentence when one cannot be had. */
import { ReleaseError, releaseFile } from '#lib/release/index.ts';

/** The releases that tests play (`--like`), and the files from which a cluster is made. */
const versions = ['v3.31.4', 'v3.30.7'];
const files = ['operator-crds.yaml', 'tigera-operator.yaml', 'custom-resources.yaml'];

try {
  for (const version of versions) for (const file of files) await releaseFile(version, file);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
