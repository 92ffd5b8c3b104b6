import { inList } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import {
  type Choices,
  definitionChartOf,
  helmWords,
  isOfHelmController,
  movedValues,
  type ReleaseContents,
  schemaFingerprint,
} from '#lib/spec/index.ts';
import { shellLine } from '#lib/text/index.ts';
import { operatorChart } from '../../install/helm-charts.ts';
import { definitionsOf } from '../../objects/release-objects.ts';
import { ownChartByHand, ownKindsByHand, sqlByHand } from '../upgrade-by-hand.ts';
import { changedValues, isMovedValue } from './changed-values.ts';
import {
  chartVersionOf,
  definitionReleases,
  definitionsByHelm,
  definitionsChartFor,
  type HelmRelease,
  hasDefinitionsOf,
  operatorReleases,
  operatorsName,
  versionOfChart,
} from './installed-by-helm.ts';

/** Why no plan can upgrade an installation by Helm, as a sentence; null if one can. `through`: releases on the way. Pure. */
export function helmProblem(
  facts: Facts,
  { chart = operatorChart }: Pick<Choices, 'chart'>,
  release: ReleaseContents,
  through: readonly ReleaseContents[],
): string | null {
  const found = operatorReleases(facts);
  const [one] = found;
  const own = facts.resources.helmReleases.find((each) => each.holds === 'operator' && !isOfHelmController(each));
  if (one === undefined && own)
    return `goal: the Helm release ${named(own)} holds the operator by a chart of its own, ${own.chart}, and this version upgrades the chart ${operatorsName} alone. ${ownChartByHand(own, [...through, release])} \`check --goal upgrade\` says before what the upgrade means here.`;
  if (one === undefined)
    return `goal: no Helm release of this cluster holds the operator. Of RKE2, upgrade RKE2 itself: its own controller runs Helm. Elsewhere Helm keeps its releases in an SQL database (\`HELM_DRIVER\`), which this version does not read. ${sqlByHand([...through, release])}`;
  if (found.length > 1)
    return `goal: ${found.length} Helm releases hold an operator, ${inList(found.map(named))}, and both would write the same objects. Remove the one that is not needed, and plan again.`;
  const operators = facts.installation.operators.map(({ object }) => object);
  if (operators.length > 1)
    return `goal: ${operators.length} operators are installed, ${inList(operators)}, and both would write the same objects, each for its own release. Remove the one that the Helm release ${named(one)} does not hold, and plan again.`;
  if (hasNoRecord(one, facts))
    return orphaned(one, 'the operator', 'Deployment tigera-operator and Installation default');
  if (one.values === null || chartVersionOf(one) === null)
    return `goal: Helm's record of the release ${named(one)} could not be read, and without its values nothing can be planned. Allow \`get\` and \`list\` of Secrets in ${one.namespace}, and of ConfigMaps where Helm keeps its releases there; where it keeps them in an SQL database (\`HELM_DRIVER\`), upgrade by hand.`;
  if (one.status !== 'deployed')
    return `goal: the Helm release ${named(one)} is ${one.status} at revision ${one.revision}, so it has no state to go back to. ${settle(one)}`;
  const [hop] = through;
  if (hop !== undefined && isPacked(chart) && !chart.includes(versionOfChart))
    return `chart: the way to ${release.version} goes by ${hop.version}, and ${chart} is the chart of one release. Put both beside each other, and write ${versionOfChart} for the release in their name.`;
  const ofDefinitions = definitionsProblem(facts, chart, release);
  if (ofDefinitions !== null) return ofDefinitions;
  const set = changedValues(one.values, facts.installation.version ?? '', release);
  const strange = Object.entries(set).find(([path, value]) => isMoved(path) && !isMovedValue(value));
  if (strange)
    return `goal: the value ${strange[0]} of the Helm release ${named(one)} has to be written, and holds characters that helm reads as its own. Move it by hand (\`${shellLine(...helmWords(one, ['upgrade', one.name]))} … --reuse-values\`), and plan again.`;
  return null;
}

/**
 * Why an operator without Helm cannot be upgraded beside a Helm release that holds Calico's kinds, as a sentence; null if it can. The administrator
 * upgrades that release first, and the plan leaves it alone.
 */
export function kindsOfHelmProblem(facts: Facts, release: ReleaseContents): string | null {
  const one = definitionsByHelm({ facts });
  if (one === null || hasDefinitionsOf(one, release.version)) return null;
  const known = definitionChartOf(one.chart);
  if (known === undefined) return ownChartProblem(one, facts, release);
  return `goal: the Helm release ${named(one)} holds Calico's kinds (chart ${known.name}): applied beside it, the next \`helm upgrade\` of it would bring the old ones back. ${byHand(one, known.name, release.version)}`;
}

/** Why kinds in a chart of the administrator's own prevent the upgrade; null once the cluster has the kinds of the new release. */
function ownChartProblem(one: HelmRelease, facts: Facts, release: ReleaseContents): string | null {
  return hasKindsOf(facts, release)
    ? null
    : `goal: the Helm release ${named(one)} holds Calico's kinds by a chart of its own, ${one.chart}: applied beside it, the next \`helm upgrade\` of it would bring the old ones back, and this version upgrades no such chart. ${ownKindsByHand(one, release)}`;
}

/** Whether the cluster has every kind exactly as the release's files define it. */
function hasKindsOf({ upgrade }: Facts, release: ReleaseContents): boolean {
  const live = new Map(upgrade.definitions.map(({ name, fingerprint }) => [name, fingerprint]));
  const coming = definitionsOf(release)?.objects ?? [];
  return coming.every((object) => {
    const sum = schemaFingerprint(object);
    return sum !== null && live.get(object.metadata.name) === sum;
  });
}

function byHand(release: HelmRelease, chart: string, version: string): string {
  const { name, namespace } = release;
  const upgrade = ['upgrade', name, `projectcalico/${chart}`, '--namespace', namespace, '--version', version];
  return `Upgrade that release by hand first, \`${shellLine(...helmWords(release, upgrade))}\`, and plan again: the plan leaves it as it is then.`;
}

/** Why a second Helm release that holds Calico's kinds prevents the upgrade; null if it does not, or there is none. */
function definitionsProblem(facts: Facts, chart: string, release: ReleaseContents): string | null {
  const { version } = release;
  const found = definitionReleases(facts);
  const [one] = found;
  if (one === undefined) return null;
  if (found.length > 1)
    return `goal: ${found.length} Helm releases hold Calico's kinds, ${inList(found.map(named))}, and both would write them. Remove the one that is not needed with its kinds kept (annotation \`helm.sh/resource-policy: keep\`), and plan again.`;
  const known = definitionChartOf(one.chart);
  if (hasNoRecord(one, facts)) return orphaned(one, "Calico's kinds", "Calico's CustomResourceDefinitions");
  if (one.values === null || one.chart === null)
    return `goal: Helm's record of the release ${named(one)}, which holds Calico's kinds, could not be read. Allow \`get\` and \`list\` of Secrets in ${one.namespace}, and of ConfigMaps where Helm keeps its releases there; where it keeps them in an SQL database (\`HELM_DRIVER\`), upgrade by hand.`;
  if (known === undefined) return ownChartProblem(one, facts, release);
  if (one.status !== 'deployed')
    return `goal: the Helm release ${named(one)}, which holds Calico's kinds, is ${one.status} at revision ${one.revision}, so it has no state to go back to. ${settle(one)}`;
  if (hasDefinitionsOf(one, version)) return null;
  // No file of a release lists these kinds, so the plan could not say which of them, and which objects of users, the way back deletes.
  if (known.isNative)
    return `goal: the Helm release ${named(one)} holds the kinds of projectcalico.org/v3 (chart ${known.name}), and for those this version has no safe way back. ${byHand(one, known.name, version)}`;
  if (definitionsChartFor('', { chart }, known.name) === null)
    return `chart: Calico's kinds are in the Helm release ${named(one)}, whose chart ${known.name} is looked for beside the operator's, and ${chart} does not name tigera-operator. Put both beside each other under their own names, e.g. /srv/charts/tigera-operator-{version}.tgz and /srv/charts/${known.name}-{version}.tgz, and write the first.`;
  return null;
}

/** Annotations of Helm name the release, and all places of records were read without finding it. */
function hasNoRecord({ revision, values }: HelmRelease, { coverage }: Facts): boolean {
  return values === null && revision === 0 && coverage.helm.covered;
}

/** The sentence for annotations of a Helm release without records. `on`: the objects that have the annotations. */
function orphaned(one: HelmRelease, what: string, on: string): string {
  return `goal: Helm has marked ${what} as of its release ${named(one)}, and neither Secrets nor ConfigMaps of ${one.namespace} hold a record of it. If that release is gone, take the annotations \`meta.helm.sh/release-name\` and \`meta.helm.sh/release-namespace\` off ${on}, and plan again; if Helm keeps it in an SQL database (\`HELM_DRIVER\`), upgrade by hand.`;
}

/** The commands that settle a release that is pending or failed. */
function settle(release: HelmRelease): string {
  const { name, namespace, deployedBefore } = release;
  if (deployedBefore === undefined)
    return 'Wait until no helm is at work on it; no revision of it was ever deployed, so finish or repeat that change by hand. Then plan again.';
  const back = helmWords(release, ['rollback', name, `${deployedBefore}`, '--namespace', namespace]);
  return `Wait until no helm is at work on it, and go back to the revision that was deployed last: \`${shellLine(...back)}\`. Then plan again.`;
}

/** Whether `--chart` is a package by its name. Whether a folder is a chart, helm says when the plan is tried. */
const isPacked = (chart: string) => chart.endsWith('.tgz');

const isMoved = (path: string) => movedValues.some(({ to }) => to === path);

const named = ({ namespace, name }: HelmRelease) => `${namespace}/${name}`;
