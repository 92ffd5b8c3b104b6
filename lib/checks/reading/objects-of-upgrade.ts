import type { Facts } from '#lib/facts/index.ts';
import { type Manifest, type ManifestObject, openshiftUpgradeFile, type ReleaseContents } from '#lib/spec/index.ts';
import { isManifestInstall, manifestFileOf } from './installation.ts';

/** In the order in which they are applied; OpenShift's bundle holds all of them. */
const operatorFiles = ['operator-crds.yaml', 'tigera-operator.yaml', openshiftUpgradeFile, 'ocp'];

/** What an upgrade applies of a release's files. Custom resources are not among them: they are the administrator's by now (pain H3). */
export function objectsOfUpgrade({ manifests }: ReleaseContents, facts: Facts): ManifestObject[] {
  if (isManifestInstall(facts)) {
    const objects = manifests[manifestFileOf(facts)]?.objects ?? [];
    return objects.filter(({ kind }) => !leftAlone.has(kind));
  }
  return operatorFiles
    .flatMap((file) => manifests[file]?.objects ?? [])
    .filter(({ apiVersion }) => !apiVersion.startsWith('operator.tigera.io/'));
}

/**
 * Of the file of a manifest installation, what is never applied. A Secret there is empty, where that of the cluster has what people put in it; the Job
 * of canal-etcd.yaml writes flannel's addresses into etcd, where people may have other ones by now, and was done when Canal was installed.
 */
const leftAlone = new Set(['Secret', 'Job']);

/** What was made from such a file, as the file has it: it is held against what is there. Definitions are compared by their sums. */
export function objectsCompared(file: Manifest): ManifestObject[] {
  return file.objects.filter(({ kind }) => kind !== 'CustomResourceDefinition' && !leftAlone.has(kind));
}
