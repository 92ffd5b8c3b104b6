import type { Facts } from '#lib/facts/index.ts';
import { definitionsOf, inRange, releaseFiles, schemaFingerprint } from '#lib/spec/index.ts';
import { filesOf, type ReleaseFiles } from '../framework/release-files.ts';
import { whereCalicoRuns } from '../framework/upgrade-check.ts';
import { isManifestInstall } from './installation.ts';

/**
 * The definitions that a release brings, each as its sum: from its files where they are at hand, else from the table. Null: neither has it. What
 * a sandbox has is made anew, and no published file tells of it.
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

/** A manifest brings no definition of the operator. */
export function isNeededHere(name: string, facts: Facts): boolean {
  return !(isManifestInstall(facts) && name.endsWith('.operator.tigera.io'));
}

/** Where Calico keeps its data in etcd there is no definition of it. */
export function whereDefinitionsAre(facts: Facts): ReturnType<typeof whereCalicoRuns> {
  return facts.installation.method === 'manifest-etcd'
    ? { because: 'Calico keeps its data in etcd: the cluster has no definitions of it.', restsOn: ['installation'] }
    : whereCalicoRuns(facts);
}

/** Names of the definitions that every file of this release must hold (`releaseFiles`): not all of them, but none that it lacks. */
export function definitionNames(release: string): readonly string[] {
  const rows = releaseFiles.filter(
    ({ variant, releases }) =>
      variant !== 'TigeraSecureEnterprise' && (releases === undefined || inRange(release, releases) === 'yes'),
  );
  const held = rows.flatMap(({ holds }) => holds.filter(({ kind }) => kind === 'CustomResourceDefinition'));
  return [...new Set(held.flatMap(({ names }) => names))];
}
