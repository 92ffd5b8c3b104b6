import { inList } from '#lib/base/words.ts';
import { isManifestInstall, releasesThrough, upgradeTarget } from '#lib/checks/index.ts';
import { objectId, openshiftUpgradeFile, proposedRelease, type ReleaseContents } from '#lib/spec/index.ts';
import { shellLine } from '#lib/text/index.ts';
import { refuseMasked } from '../objects/refuse-masked.ts';
import { isBundle, mountedByOperator, operatorObjects, refOf } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import { PlanError } from '../plan-error.ts';
import { isHostAnswer } from './afterwards/refuse-afterwards.ts';
import { helmProblem, kindsOfHelmProblem } from './helm/refuse-helm.ts';
import { manifestIn } from './manifest/manifest-file.ts';
import { nativeKindsProblem } from './native-kinds.ts';
import { openshiftByHand } from './upgrade-by-hand.ts';

type Known = Pick<PlanContext, 'facts' | 'choices' | 'release'>;

/** Throws a PlanError that names the field if no upgrade can be planned. `through`: releases on the way. Check `upgrade.path` decides whether Calico supports that way. */
export function refuseUpgrade({ facts, choices, release }: Known, through: readonly ReleaseContents[]): void {
  const { method } = facts.installation;
  if (method === 'none')
    throw new PlanError(
      'goal.not-planned',
      'goal: Calico is not installed, so there is nothing to upgrade. Use the goal install.',
      ['goal'],
    );
  if (method === 'unknown')
    throw new PlanError(
      'goal.not-planned',
      'goal: how this Calico was installed is not recognised. Upgrades are planned for installations by the operator, by Helm and by manifest only. `check --goal upgrade` says what the upgrade means here.',
      ['goal'],
    );
  const native = nativeKindsProblem(facts);
  if (native !== null) throw new PlanError('goal.not-planned', native, ['goal']);
  if (release === null) throw new PlanError('choices.release', `release: ${whyNoRelease(facts, choices)}`, ['release']);
  const missing = releasesThrough(facts, choices).find((hop) => !through.some(({ version }) => version === hop));
  if (missing !== undefined)
    throw new PlanError(
      'choices.release',
      `release: the way from ${facts.installation.version} to ${release.version} goes by ${missing}, whose files were not found. Put them beside those of ${release.version}, or upgrade to ${missing} first.`,
      ['release'],
    );
  const isManifest = isManifestInstall(facts);
  const releases = [...through, release];
  if (isManifest) for (const one of releases) manifestIn(one, { facts });
  else refuseStrayAnswers(choices);
  if (!isManifest && releases.some(hasNoUpgradeFile))
    throw new PlanError('goal.not-planned', openshiftRefusal(releases), ['goal']);
  const unmounted = isManifest ? null : lackingMount(facts, releases);
  if (unmounted !== null) throw new PlanError('goal.not-planned', unmounted, ['goal']);
  const stranger = isManifest
    ? null
    : method === 'helm'
      ? helmProblem(facts, choices, release, through)
      : (otherOperator(facts, release) ?? kindsOfHelmProblem(facts, release));
  if (stranger !== null) throw new PlanError('goal.not-planned', stranger, ['goal']);
  // Helm keeps the values of its release itself.
  if (method === 'operator') for (const one of releases) refuseMaskedOperator(one, facts);
  const [set] = Object.keys(choices.set);
  if (set !== undefined)
    throw new PlanError(
      'choices.set',
      `set: an upgrade sets no field of the Installation. Set ${set} before or afterwards.`,
      ['set', set],
    );
}

/** Throws a PlanError for a password in the operator's environment, e.g. of its proxy. */
function refuseMaskedOperator(release: ReleaseContents, { resources: { objects } }: PlanContext['facts']): void {
  for (const id of operatorObjects(release).map(refOf).map(objectId)) refuseMasked(id, objects[id]?.spec);
}

/** Why there are no files to upgrade to. On a page they may not have been fetched yet. */
function whyNoRelease(facts: Known['facts'], choices: Known['choices']): string {
  const target = upgradeTarget(facts, choices);
  const proposed = proposedRelease(facts.installation.version ?? '');
  if (target.kind === 'malformed')
    return `${JSON.stringify(target.text)} is not a release of Calico. Write all three numbers, e.g. ${proposed ?? 'v3.31.4'}.`;
  if (target.kind === 'release' && target.origin !== 'proposal')
    return `the files of ${target.version} are not here yet. Get them first, or name a source that has them.`;
  const named =
    proposed === null
      ? 'Name one, e.g. v3.31.4.'
      : `${proposed} is proposed, the newest known patch: name it, or accept the proposal.`;
  return `no release to upgrade to is chosen. ${named}`;
}

/** Throws a PlanError for answers about changes by hand, which only an installation by manifest has. Answers about host endpoints are always allowed. */
function refuseStrayAnswers(choices: PlanContext['choices']): void {
  const { changes = {}, remove } = choices;
  const others = Object.keys(changes).some((name) => !isHostAnswer(name, choices));
  for (const [field, given] of Object.entries({ changes: others || undefined, remove }))
    if (given !== undefined)
      throw new PlanError(
        `choices.${field}`,
        `${field}: this Calico is managed by its operator. Only an installation by manifest has objects that people change by hand.`,
        [field],
      );
}

/** A bundle for OpenShift without the upgrade file: the bundle itself only installs. */
const hasNoUpgradeFile = (release: ReleaseContents) =>
  isBundle(release) && release.manifests[openshiftUpgradeFile] === undefined;

/** Why the new operator's pod would never start; null if nothing prevents it. The published file mounts ConfigMaps that it does not create. */
function lackingMount({ resources: { objects } }: PlanContext['facts'], releases: readonly ReleaseContents[]) {
  const lacking = releases.flatMap(mountedByOperator).find((ref) => objects[objectId(ref)] === null);
  return lacking === undefined
    ? null
    : `goal: the operator of the new release mounts ConfigMap ${lacking.namespace}/${lacking.name}, which is not there: its pod would stay in ContainerCreating. Make it, and plan again: \`${shellLine('oc', 'create', 'configmap', '-n', lacking.namespace ?? '', lacking.name)}\`.`;
}

function openshiftRefusal(releases: readonly ReleaseContents[]): string {
  return `goal: OpenShift is upgraded with ${openshiftUpgradeFile}, and ${inList(releases.filter(hasNoUpgradeFile).map(({ version }) => version))} came without it, so nothing is planned here. ${openshiftByHand(releases)} \`check --goal upgrade\` says before what the upgrade means here.`;
}

/**
 * Why the release's operator cannot replace the one that runs; null if it can. An operator with another name or in another namespace would go on beside
 * the new one, and both would write the same objects.
 */
function otherOperator({ installation }: PlanContext['facts'], release: ReleaseContents): string | null {
  const [ours] = operatorObjects(release)
    .filter(({ kind }) => kind === 'Deployment')
    .map((object) => objectId(refOf(object)));
  const found = installation.operators.map(({ object }) => object);
  if (ours === undefined || found.every((object) => object === ours)) return null;
  return found.length > 1
    ? `goal: ${found.length} operators are installed, ${found.join(' and ')}, and both would write the same objects, each for its own release. Remove the one that is not needed, keep ${ours}, and plan again.`
    : `goal: the operator that runs is ${found.join()}, and the files of ${release.version} hold ${ours}: it would become a second one beside it, and both would write the same objects. Upgrade it by hand, in the way it was installed; \`check --goal upgrade\` says what the upgrade means here.`;
}
