import {
  isKnownInstall,
  isManifestInstall,
  manifestFileOf,
  objectsOfUpgrade,
  type ReleaseFiles,
  releasesThrough,
  upgradeTarget,
} from '#lib/checks/index.ts';
import { type Facts, withObjects } from '#lib/facts/index.ts';
import { releaseRefs, sidecarRefs } from '#lib/plan/index.ts';
import type { Releases, WantedRelease } from '#lib/run/index.ts';
import {
  type Choices,
  type ObjectRef,
  openshiftUpgradeFile,
  platformIn,
  type ReleaseContents,
  releaseToInstall,
  resourceOf,
  resources,
} from '#lib/spec/index.ts';
import { noCache, type ReadOptions } from '../reading.ts';
import { triedWithoutForce } from './tried-without-force.ts';

/** The release's files for the checks, and the facts with the objects in those files. `release`: what an *install* or an *upgrade* brings. */
export type WithReleaseFiles = {
  readonly facts: Facts;
  readonly files: ReleaseFiles;
  readonly release: ReleaseContents | null;
  /** *upgrade*: the files of the releases in between, if a gate requires one and its files can be opened. */
  readonly through?: readonly ReleaseContents[];
};

/** The release that an *install* or an *upgrade* brings; without `--release` the proposed one. Null for other goals. */
export function releaseWanted(facts: Facts, choices: Choices): WantedRelease | null {
  const { source, airGapped, customResources } = choices;
  const target = choices.goal === 'upgrade' && isKnownInstall(facts) ? upgradeTarget(facts, choices) : null;
  if (target?.kind === 'release') return { version: target.version, source, airGapped, ...itsFiles(facts, choices) };
  if (choices.goal !== 'install') return null;
  const platform = platformIn(facts, choices);
  const version = choices.release ?? releaseToInstall(facts.cluster.kubernetesVersion);
  return { version, source, airGapped, customResources, platform };
}

/**
 * The files that an upgrade uses: the manifest from which this Calico was installed, or the one that upgrades OpenShift's operator. Helm's chart has
 * OpenShift's needs built in; the kinds beside it are published for every platform.
 */
function itsFiles(facts: Facts, choices: Choices): Pick<WantedRelease, 'platform' | 'manifest'> {
  const platform = platformIn(facts, choices);
  if (isManifestInstall(facts)) return { platform, manifest: manifestFileOf(facts) };
  if (platform !== 'openshift') return { platform };
  const { method } = facts.installation;
  return method === 'helm' ? { platform: 'generic' } : { platform, manifest: openshiftUpgradeFile };
}

/** Gathers from a release's files what checks and plan need under these answers. Rejects as `releases` does if a chosen release cannot be opened. */
export async function withReleaseFiles(
  facts: Facts,
  choices: Choices,
  { releases, ...options }: ReadOptions & { releases: Releases | undefined },
): Promise<WithReleaseFiles> {
  const nothing = { facts, files: {}, release: null };
  if (releases === undefined) return nothing;
  if (choices.goal === 'upgrade') return withUpgradeFiles(facts, choices, { releases, ...options });
  const wanted = releaseWanted(facts, choices);
  const release = wanted && (await releases(wanted, options.signal));
  if (release === null) return nothing;
  const { use, cache = noCache, signal } = options;
  const read = await cache.besides(facts, keyOf(release), () =>
    use(async ({ kube }) => ({ facts: await withObjects(facts, { kube, refs: releaseRefs(release), signal }) })),
  );
  return { facts: read.facts, files: { target: release }, release };
}

/**
 * Opens the files of the target, and of the release that runs if they can be opened too, with the objects that were made from them. Asks the server
 * in a dry run without force who owns the target's fields; not for a dump, which does not tell who wrote what. A target that the user did not choose
 * is not fetched.
 */
async function withUpgradeFiles(
  facts: Facts,
  choices: Choices,
  { use, cache = noCache, releases, signal }: ReadOptions & { releases: Releases },
): Promise<WithReleaseFiles> {
  const nothing = { facts, files: {}, release: null };
  const target = upgradeTarget(facts, choices);
  if (target.kind !== 'release' || target.origin === 'proposal') return nothing;
  const { source, airGapped } = choices;
  const opened = (version: string) => releases({ version, source, airGapped, ...itsFiles(facts, choices) }, signal);
  const wanted = await opened(target.version);
  if (wanted === null) return nothing;
  const version = facts.installation.version;
  // A mirror need not have the release that runs. Without it a check says what is missing.
  const running = version === null ? null : await opened(version).catch((): ReleaseContents | null => null);
  const hops = await Promise.all(releasesThrough(facts, choices).map((hop) => opened(hop).catch(() => null)));
  const through = hops.filter((hop) => hop !== null);
  const read = await cache.besides(
    facts,
    `${[wanted, ...through].map(keyOf)} ${running && keyOf(running)} ${choices.afterwards ?? ''}`,
    () =>
      use(async ({ kube }) => {
        const tried =
          kube.source === 'dump' ? null : await triedWithoutForce(kube, objectsOfUpgrade(wanted, facts), signal);
        const isManifest = isManifestInstall(facts);
        const refs = isManifest
          ? [wanted, ...through, ...(running ? [running] : [])].flatMap((one) => refsInFile(one, facts))
          : [...through, wanted].flatMap(releaseRefs);
        const known = await withObjects(facts, {
          kube,
          refs: [...refs, ...refsAfterwards(facts, choices, wanted.version)],
          signal,
        });
        return { facts: known, ...(tried && { tried }) };
      }),
  );
  const { tried } = read;
  return {
    facts: read.facts,
    files: { target: wanted, ...(running && { running }), ...(tried && { tried }) },
    release: wanted,
    through,
  };
}

/** The objects that follow the upgrade on request and are deleted or written then. The way back needs them whole. */
function refsAfterwards(facts: Facts, { afterwards = [] }: Choices, to: string): ObjectRef[] {
  const { upgrade } = facts;
  const { byHand } = upgrade.hostEndpoints;
  const nodes = new Set(byHand.flatMap(({ node }) => node ?? []));
  return [
    ...(afterwards.includes('sidecars') ? sidecarRefs(facts, to) : []),
    ...(afterwards.includes('host-endpoints')
      ? [
          { resource: resources.kubeControllersConfigurations, name: 'default' },
          ...byHand.map(({ name }) => ({ resource: resources.hostEndpoints, name })),
          ...[...nodes].map((name) => ({ resource: resources.nodes, name })),
        ]
      : []),
    ...(afterwards.includes('allow-all-upgrade')
      ? upgrade.temporaryPolicies.map(({ name }) => ({ resource: resources.globalNetworkPolicies, name }))
      : []),
  ];
}

/** The same files lead to the same objects, whatever their source. */
function keyOf({ version, manifests }: ReleaseContents): string {
  return JSON.stringify([version, ...Object.values(manifests).map(({ file, sha256 }) => [file, sha256])]);
}

/** The objects in the file of a manifest installation, definitions included, Secrets not. */
function refsInFile({ manifests }: ReleaseContents, facts: Facts): ObjectRef[] {
  const objects = manifests[manifestFileOf(facts)]?.objects ?? [];
  return objects
    .filter(({ kind }) => kind !== 'Secret')
    .flatMap(({ apiVersion, kind, metadata: { name, namespace } }) => {
      const resource = resourceOf(apiVersion, kind);
      return resource ? [{ resource, name, ...(namespace === undefined ? {} : { namespace }) }] : [];
    });
}
