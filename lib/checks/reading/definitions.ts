import type { Facts } from '#lib/facts/index.ts';
import { definitionsOf, inRange, releaseFiles, schemaFingerprint } from '#lib/spec/index.ts';
import { filesOf, type ReleaseFiles } from '../framework/release-files.ts';
import { whereCalicoRuns } from '../framework/upgrade-check.ts';
import { isManifestInstall } from './installation.ts';

/**
 * The CustomResourceDefinitions of a release, each with its fingerprint: from its files if they were read, otherwise from the table of published releases.
 * Null: neither has them. The table does not apply to sandboxes, whose definitions are generated.
 */
export function definitionsOfTarget(
  version: string,
  { target }: ReleaseFiles,
  { cluster }: Facts,
): { readonly fingerprints: Readonly<Record<string, string>> } | null {
  const files = filesOf(target, version);
  const published = cluster.source === 'sandbox' ? null : definitionsOf(version);
  if (files === null) return published;
  const objects = Object.values(files.manifests).flatMap((manifest) => manifest.objects);
  const sums = objects.flatMap((object): [string, string][] => {
    const sum = object.kind === 'CustomResourceDefinition' ? schemaFingerprint(object) : null;
    return sum === null ? [] : [[object.metadata.name, sum]];
  });
  return sums.length === 0 ? published : { fingerprints: Object.fromEntries(sums) };
}

/** Whether this installation needs the definition: a manifest installation needs none of the operator's. */
export function isNeededHere(name: string, facts: Facts): boolean {
  return !(isManifestInstall(facts) && name.endsWith('.operator.tigera.io'));
}

/** Skips the check if Calico keeps its data in etcd, where it has no definitions. */
export function whereDefinitionsAre(facts: Facts): ReturnType<typeof whereCalicoRuns> {
  return facts.installation.method === 'manifest-etcd'
    ? { because: 'Calico keeps its data in etcd: the cluster has no definitions of it.', restsOn: ['installation'] }
    : whereCalicoRuns(facts);
}

/** Names of definitions that the files of this release must contain (`releaseFiles`). The list may be incomplete, but has none that a release lacks. */
export function definitionNames(release: string): readonly string[] {
  const rows = releaseFiles.filter(
    ({ variant, releases }) =>
      variant !== 'TigeraSecureEnterprise' && (releases === undefined || inRange(release, releases) === 'yes'),
  );
  const held = rows.flatMap(({ holds }) => holds.filter(({ kind }) => kind === 'CustomResourceDefinition'));
  return [...new Set(held.flatMap(({ names }) => names))];
}
