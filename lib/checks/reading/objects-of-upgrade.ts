import type { Facts } from '#lib/facts/index.ts';
import { type Manifest, type ManifestObject, openshiftUpgradeFile, type ReleaseContents } from '#lib/spec/index.ts';
import { isManifestInstall, manifestFileOf } from './installation.ts';

/** Files in the order in which they are applied; OpenShift's bundle contains all of them. */
const operatorFiles = ['operator-crds.yaml', 'tigera-operator.yaml', openshiftUpgradeFile, 'ocp'];

/** Objects of a release's files that an upgrade applies. Custom resources are left out, because they are the administrator's by now (pain H3). */
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
 * Kinds in the file of a manifest installation that are never applied. A Secret in the file is empty and would overwrite the cluster's credentials. The Job
 * of canal-etcd.yaml ran when Canal was installed; it would write flannel's default addresses into etcd over changed ones.
 */
const leftAlone = new Set(['Secret', 'Job']);

/** Objects of such a file that are compared with the cluster's. Definitions are left out, because they are compared by fingerprint. */
export function objectsCompared(file: Manifest): ManifestObject[] {
  return file.objects.filter(({ kind }) => kind !== 'CustomResourceDefinition' && !leftAlone.has(kind));
}
