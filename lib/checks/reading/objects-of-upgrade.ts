import type { Facts } from '#lib/facts/index.ts';
import type { Manifest, ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import { isManifestInstall, manifestFileOf } from './installation.ts';

/** In the order in which they are applied; OpenShift's bundle holds all of them. */
const operatorFiles = ['operator-crds.yaml', 'tigera-operator.yaml', 'ocp'];

/** What an upgrade applies of a release's files. Custom resources are not among them: they are the administrator's by now (pain H3). */
export function objectsOfUpgrade({ manifests }: ReleaseContents, facts: Facts): ManifestObject[] {
  const files = isManifestInstall(facts) ? [manifestFileOf(facts)] : operatorFiles;
  return files
    .flatMap((file) => manifests[file]?.objects ?? [])
    .filter(({ apiVersion }) => !apiVersion.startsWith('operator.tigera.io/'));
}

/** Definitions are compared by their sums; secrets are nobody's to read. */
const notCompared = new Set(['CustomResourceDefinition', 'Secret']);

/** What was made from the file of a manifest installation, as the file has it: it is held against what is there. */
export function objectsCompared(file: Manifest): ManifestObject[] {
  return file.objects.filter(({ kind }) => !notCompared.has(kind));
}
