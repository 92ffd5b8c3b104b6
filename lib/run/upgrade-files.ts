import {
  isManifestInstall,
  manifestFileOf,
  objectsCompared,
  objectsOfUpgrade,
  type ReleaseFiles,
  upgradeTarget,
} from '#lib/checks/index.ts';
import { type Facts, withObjects } from '#lib/facts/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type Choices, type ObjectRef, type ReleaseContents, resourceOf } from '#lib/spec/index.ts';
import type { Releases } from './prepare.ts';
import { triedWithoutForce } from './tried-without-force.ts';

export type UpgradeFiles = { readonly facts: Facts; readonly files: ReleaseFiles };

/**
 * What the checks of an upgrade compare with, where there is a source of releases: the files of the release that is to run, what the server says
 * to them in a dry run without force (never of a dump, which does not tell who wrote what), and the files of the one that runs, if they can be had
 * too, with the objects that were made from them. A target that nobody chose is not fetched. Rejects where the chosen one cannot be had.
 */
export async function withUpgradeFiles(
  facts: Facts,
  choices: Choices,
  { kube, releases, signal }: { kube: Kube; releases: Releases | undefined; signal: AbortSignal },
): Promise<UpgradeFiles> {
  const target = upgradeTarget(facts, choices);
  if (choices.goal !== 'upgrade' || releases === undefined || target.kind !== 'release') return { facts, files: {} };
  if (target.origin === 'proposal') return { facts, files: {} };
  const { source, airGapped } = choices;
  const platform = choices.platform ?? facts.platform.kind;
  const also = isManifestInstall(facts) ? [manifestFileOf(facts)] : [];
  const opened = (version: string) => releases({ version, source, airGapped, platform, also }, signal);
  const wanted = await opened(target.version);
  const version = facts.installation.version;
  // A mirror of one release need not have the others: without them a check says so.
  const running = version === null ? null : await opened(version).catch((): ReleaseContents | null => null);
  const tried = kube.source === 'dump' ? null : await triedWithoutForce(kube, objectsOfUpgrade(wanted, facts), signal);
  return {
    facts: running ? await withObjects(facts, { kube, refs: refsComparedWith(running, facts), signal }) : facts,
    files: { target: wanted, ...(running && { running }), ...(tried && { tried }) },
  };
}

/** What was made from the file of a manifest installation. */
function refsComparedWith({ manifests }: ReleaseContents, facts: Facts): ObjectRef[] {
  const file = isManifestInstall(facts) ? manifests[manifestFileOf(facts)] : undefined;
  return (file ? objectsCompared(file) : []).flatMap(({ apiVersion, kind, metadata: { name, namespace } }) => {
    const resource = resourceOf(apiVersion, kind);
    return resource ? [{ resource, name, ...(namespace === undefined ? {} : { namespace }) }] : [];
  });
}
