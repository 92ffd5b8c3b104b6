import { publishedFile } from '#lib/checks/index.ts';
import { helmWords, names, openshiftUpgradeFile, type ReleaseContents } from '#lib/spec/index.ts';
import { shellLine } from '#lib/text/index.ts';
import { type HelmRelease, operatorsName } from './helm/installed-by-helm.ts';

/** Instructions for upgrades that no plan makes, for the sentences that refuse them: release by release, with every command. */

/** The upgrade on OpenShift by `oc apply` of each release's upgrade file, as one sentence. */
export function openshiftByHand(releases: readonly ReleaseContents[]): string {
  const steps = releases.map(
    ({ version }) => `${applied('oc', publishedFile(version, openshiftUpgradeFile))} and ${untilItRuns('oc', version)}`,
  );
  return `By hand: ${steps.join('; then ')}.`;
}

/**
 * For an operator in a chart of the administrator's own. Helm installs the kinds in a chart's folder `crds/` once and never updates them, so they are
 * applied. Kinds in its templates must be changed in the chart: the next `helm upgrade` would bring the old ones back.
 */
export function ownChartByHand(own: HelmRelease, releases: readonly ReleaseContents[]): string {
  const { name, namespace, revision, deployedBefore = revision } = own;
  const helm = (...words: string[]) => shellLine(...helmWords(own, [...words, '--namespace', namespace]));
  const steps = releases.map(
    ({ version, manifests }) =>
      `${kindsOf(version, manifests)}; bring the operator of ${version} into the chart (one that depends on ${operatorsName}: \`version: ${version}\` in its Chart.yaml, and \`helm dependency update CHART\`); \`${helm('upgrade', name)} CHART --reset-then-reuse-values\`; and ${untilItRuns('kubectl', version)}`,
  );
  return `By hand: ${steps.join('; then ')}. Where the chart holds the kinds itself (\`${helm('get', 'manifest', name)} | grep '^kind: CustomResourceDefinition'\` finds some), replace them in it, and apply none. The way back is \`${helm('rollback', name, `${deployedBefore}`)}\`. Where the chart holds the kinds, it deletes those that revision ${deployedBefore} lacks, with all objects of them: keep them by \`kubectl annotate customresourcedefinitions KIND helm.sh/resource-policy=keep\` first.`;
}

/** For a Helm that keeps its records in an SQL database, which Signalbox does not read. */
export function sqlByHand(releases: readonly ReleaseContents[]): string {
  const steps = releases.map(
    ({ version, manifests }) =>
      `${kindsOf(version, manifests)}; \`env HELM_DRIVER=sql helm upgrade RELEASE projectcalico/${operatorsName} --namespace NAMESPACE --version ${version} --reset-then-reuse-values\`; and ${untilItRuns('kubectl', version)}`,
  );
  return `By hand: ${steps.join('; then ')}.`;
}

/** For kinds in a chart of the administrator's own that holds no operator. */
export function ownKindsByHand(own: HelmRelease, { version }: Pick<ReleaseContents, 'version'>): string {
  const upgrade = shellLine(...helmWords(own, ['upgrade', own.name, '--namespace', own.namespace]));
  return `Bring the kinds of ${version} into that chart (${publishedFile(version, kindsFile)}), upgrade that release by hand first, \`${upgrade} CHART --reset-then-reuse-values\`, and plan again: the plan leaves them as they are then.`;
}

const kindsFile = 'operator-crds.yaml';

/** A command that applies the kinds. Before v3.30 only the chart has them on their own, no file does (calico.md §1.2). */
function kindsOf(version: string, manifests: ReleaseContents['manifests']): string {
  return manifests[kindsFile]
    ? applied('kubectl', publishedFile(version, kindsFile))
    : `\`helm show crds projectcalico/${operatorsName} --version ${version} | kubectl apply --server-side --force-conflicts -f -\``;
}

function applied(program: 'kubectl' | 'oc', address: string): string {
  return `\`${shellLine(program, 'apply', '--server-side', '--force-conflicts', '-f', address)}\``;
}

function untilItRuns(program: 'kubectl' | 'oc', version: string): string {
  return `wait until \`${program} get installation default -o jsonpath={.status.calicoVersion}\` says ${version} and \`${program} rollout status -n ${names.calicoNamespace} daemonset/${names.nodeDaemonSet}\` has ended`;
}
