import { createHash } from 'node:crypto';
import { canonicalJson } from '#lib/base/records.ts';
import { releaseDefinitions } from '#lib/operator/index.ts';
import {
  calicoReleases,
  isForOpenshift,
  isUnknown,
  type Manifest,
  type ManifestObject,
  openshiftUpgradeFile,
  type PlatformKind,
  type ReleaseContents,
} from '#lib/spec/index.ts';
import { type CalicoManifest, calicoManifest } from './calico-manifest.ts';
import { automaticMode, customResources } from './custom-resources.ts';
import { openshiftBundle, openshiftUpgrade } from './openshift-bundle.ts';
import { operatorManifest } from './operator-manifest.ts';

/**
 * A Calico release as a sandbox installs it, without a network: its files rebuilt small, with the published objects and the fields on which decisions
 * depend. `sha256` is that of the canonical objects, because there is no file. `version` is Calico's, `v3.31.4`. Throws if its operator is not known.
 */
export function sandboxRelease(version: string): ReleaseContents {
  const row = calicoReleases.find((one) => one.version === version);
  if (!row || isUnknown(row.operator))
    throw new Error(`A sandbox cannot install Calico ${version}: its operator is not in the table of releases.`);
  const { operator } = row;
  const minor = Number(version.split('.')[1]);
  const definitions = releaseDefinitions();
  const files: Record<string, ManifestObject[]> = {
    // Before v3.30 the operator's own manifest contained them (calico.md §1.2).
    ...(minor >= 30 ? { 'operator-crds.yaml': definitions } : {}),
    'tigera-operator.yaml': [...(minor >= 30 ? [] : definitions), ...operatorManifest(operator)],
    'custom-resources.yaml': customResources(),
    ...(minor >= 31 ? { 'custom-resources-bpf.yaml': customResources(automaticMode) } : {}),
    ...Object.fromEntries(byManifest.map((one) => [`${one}.yaml`, calicoManifest(one, version)])),
    ocp: openshiftBundle(version, operator),
    [openshiftUpgradeFile]: openshiftUpgrade(version, operator),
  };
  const manifests = Object.entries(files).map(([file, objects]): [string, Manifest] => [
    file,
    { version, file, sha256: canonicalHash(objects), objects },
  ]);
  return { version, operator, source: 'the sandbox itself', manifests: Object.fromEntries(manifests) };
}

const byManifest: readonly CalicoManifest[] = ['calico', 'calico-etcd', 'canal'];

/**
 * The release's files for an installation on this platform: for OpenShift only its bundle, or the file of its upgrade (`manifest`); elsewhere the
 * files that are published by name.
 */
export function sandboxReleaseOn(platform: PlatformKind, version: string, manifest = 'ocp'): ReleaseContents {
  const complete = sandboxRelease(version);
  const isTaken =
    platform === 'openshift' ? (file: string) => file === manifest : (file: string) => !isForOpenshift(file);
  const manifests = Object.entries(complete.manifests).filter(([file]) => isTaken(file));
  return { ...complete, manifests: Object.fromEntries(manifests) };
}

/** Equal for equal content, whatever the order of members. */
function canonicalHash(objects: readonly ManifestObject[]): string {
  return createHash('sha256').update(canonicalJson(objects)).digest('hex');
}
