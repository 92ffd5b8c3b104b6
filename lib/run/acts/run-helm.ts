import { resolve } from 'node:path';
import { inList } from '#lib/base/words.ts';
import { type Kube, KubeError } from '#lib/kube/index.ts';
import { type Act, helmArguments } from '#lib/plan/index.ts';
import {
  definitionCharts,
  helmRecordResource,
  helmSecretName,
  helmWords,
  isChartOfVersion,
  type ObjectRef,
} from '#lib/spec/index.ts';
import { shellLine } from '#lib/text/index.ts';
import { refuseLostByRollback, refuseLostByUpgrade } from './helm-definitions.ts';
import { HelmMissing, helmProgram } from './helm-program.ts';
import { chartOf, helmState, isRolledBack, laterThanOwn } from './helm-state.ts';

export type HelmAct = Extract<Act, { kind: 'helm' }>;
type UpgradeAct = Extract<HelmAct, { verb: 'upgrade' }>;

/** How long to wait for another helm that is working: one that this run started may survive the process that started it. */
const othersMs = 30_000;
const lookEveryMs = 2_000;

/**
 * Runs the user's own helm on this run's cluster, whatever its current context is. Its output does not go to the journal. `dry-run`: only checks
 * whether this helm can do it, whether the chart exists and is of the chosen release, and whether a chart of definitions keeps the existing ones.
 * Throws HelmMissing, and KubeError with helm's message.
 */
export async function runHelm(kube: Kube, act: HelmAct, mode: 'act' | 'dry-run', signal?: AbortSignal): Promise<void> {
  if (kube.helm) return runOwn(kube, kube.helm, act, mode, signal);
  if (!kube.reachedBy) throw new HelmMissing('helm cannot reach this cluster: it needs a context of a kubeconfig.');
  const { kubeconfig, context } = kube.reachedBy;
  const cluster = ['--kube-context', context, ...(kubeconfig === null ? [] : ['--kubeconfig', resolve(kubeconfig)])];
  if (mode === 'act') {
    await untilFree(kube, act, signal);
    // A helm that this run started earlier may have finished it.
    if (await isHelmDone(kube, act, signal)) return;
    if (act.verb === 'rollback') {
      await refuseOthers(kube, act, signal);
      await refuseLostByRollback(kube, act, signal);
    }
  }
  if (act.verb === 'upgrade') {
    await checkHelmVersion(act, signal);
    await checkChart(act, signal);
  }
  const args = [...helmArguments(act), ...cluster];
  if (mode === 'dry-run') {
    if (act.verb === 'upgrade' && act.holds !== undefined)
      await refuseLostByUpgrade(kube, act, () => helm(act, [...args, ...onlyRendered], signal), signal);
    return;
  }
  // Renders first and has the server compare, so that refusals and fields of other owners are reported before anything changes.
  if (act.verb === 'upgrade' && act.values !== undefined) {
    const rendered = await helm(act, [...args, '--dry-run=server', '--output', 'json'], signal);
    await refuseLostByUpgrade(kube, act, () => Promise.resolve(rendered), signal);
  }
  await helm(act, args, signal);
}

/** Helm then reads only its own records: the account that plans may have no other rights. */
const onlyRendered = ['--dry-run=client', '--output', 'json'];

async function runOwn(
  kube: Kube,
  own: NonNullable<Kube['helm']>,
  act: HelmAct,
  mode: 'act' | 'dry-run',
  signal: AbortSignal | undefined,
): Promise<void> {
  const words = helmArguments(act);
  if (act.verb === 'upgrade' && act.holds !== undefined)
    await refuseLostByUpgrade(kube, act, () => own([...words, ...onlyRendered]), signal);
  if (mode === 'act') await own(words);
}

/** Compares with Helm's records: repeating a finished upgrade would only add a revision. */
export async function isHelmDone(kube: Kube, act: HelmAct, signal?: AbortSignal): Promise<boolean> {
  return act.verb === 'rollback'
    ? isRolledBack(kube, act, act.revision, signal)
    : isUpgrade(kube, act, 'deployed', signal);
}

/** Whether the newest revision has this status and is the result of this upgrade. */
async function isUpgrade(
  kube: Kube,
  act: UpgradeAct,
  status: 'deployed' | 'pending-upgrade',
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (act.values === undefined || act.version === null) return false;
  const newest = await helmState(kube, act, signal);
  if (newest?.status !== status) return false;
  const chart = await chartOf(kube, act, newest.revision, signal);
  return isChartOfVersion(chart, act.version);
}

/**
 * Whether the plan's revision is no longer deployed only because of this very upgrade (helm marks the old one superseded before the new one
 * deployed), or because `helm rollback` restored it under a new number. `target`: the revision that the plan read.
 */
export async function isOwnRevision(kube: Kube, act: Act, target: ObjectRef, signal?: AbortSignal): Promise<boolean> {
  if (act.kind !== 'helm' || act.verb !== 'upgrade' || target.namespace !== act.namespace) return false;
  const revision = Number(/\.v(\d+)$/.exec(target.name)?.[1]);
  if (
    target.resource.kind !== helmRecordResource(act.driver).kind ||
    target.name !== helmSecretName(act.release, revision)
  )
    return false;
  return (
    (await isHelmDone(kube, act, signal)) ||
    (await isUpgrade(kube, act, 'pending-upgrade', signal)) ||
    isRolledBack(kube, act, revision, signal)
  );
}

/**
 * The command for a user who runs helm elsewhere. It names no cluster, because messages of a run go to its journal, which others read with
 * other kubeconfigs: each face adds its own flags (`journalWithClusterFlags`).
 */
export function helmLine(act: HelmAct, words: readonly string[] = helmArguments(act)): string {
  return shellLine(...helmWords(act, words));
}

/** A rollback would also undo everything after its target revision, so it is refused if somebody else made one of those. */
async function refuseOthers(
  kube: Kube,
  act: Extract<HelmAct, { verb: 'rollback' }>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const others = await laterThanOwn(kube, act, act.revision, signal);
  if (others.length === 0) return;
  const { release, namespace } = act;
  const listed = others.map(
    ({ revision, status, chart }) => `revision ${revision} (${status}, ${chart ?? 'its chart cannot be read'})`,
  );
  throw new KubeError(
    'invalid',
    `The Helm release ${namespace}/${release} was changed after this run: ${inList(listed)}. Going back to revision ${act.revision} takes that back, too. If it should be, run \`${helmLine(act)}\` and continue; else stop this run.`,
  );
}

/** Refuses a helm that is too old to merge the values into those of the new chart. */
async function checkHelmVersion(act: UpgradeAct, signal: AbortSignal | undefined): Promise<void> {
  if (act.values !== 'reset-then-reuse') return;
  const flag = '--reset-then-reuse-values';
  if ((await helm(act, ['upgrade', '--help'], signal)).includes(flag)) return;
  throw new KubeError(
    'invalid',
    `The helm of this machine does not know ${flag}. Install Helm 3.14 or newer, and try again.`,
  );
}

/** Compares the chart's name and version: a folder or a packed chart is used as it is, whatever was requested. */
async function checkChart(act: UpgradeAct, signal: AbortSignal | undefined): Promise<void> {
  const version = act.version === null ? [] : ['--version', act.version];
  const shown = await helm(act, ['show', 'chart', act.chart, ...version], signal);
  const name = chartField(shown, 'name');
  const wanted = definitionCharts.find((one) => one.name === act.holds)?.name ?? operatorsChart;
  if (name !== wanted)
    throw new KubeError('invalid', `The chart ${act.chart} is named ${name}, and ${wanted} is needed.`);
  const found = chartField(shown, 'version');
  if (act.version !== null && found !== act.version)
    throw new KubeError('invalid', `The chart ${act.chart} is of version ${found}, and ${act.version} is needed.`);
}

/** The name of the operator's chart, wherever it is kept. */
const operatorsChart = 'tigera-operator';

/** A field of Chart.yaml as helm prints it. */
function chartField(shown: string, field: 'name' | 'version'): string {
  return new RegExp(`^${field}: *["']?([^\\s"']{1,100})`, 'm').exec(shown)?.[1] ?? 'none';
}

/**
 * Waits while Helm counts the release as pending, because it would refuse to upgrade it. A rollback ends that state, so it waits only for a helm that
 * is still working.
 */
async function untilFree(kube: Kube, act: HelmAct, signal: AbortSignal | undefined): Promise<void> {
  for (let waited = 0; ; waited += lookEveryMs) {
    const newest = await helmState(kube, act, signal);
    if (!newest?.status.startsWith('pending')) return;
    if (waited >= othersMs) {
      if (act.verb === 'rollback') return;
      const { release, namespace } = act;
      const where = ['--namespace', namespace];
      const history = helmLine(act, ['history', release, ...where]);
      throw new KubeError(
        'invalid',
        `Helm holds the release ${namespace}/${release} for unfinished: revision ${newest.revision} is ${newest.status}. If no helm is at work on it, \`${history}\` shows the last revision that was deployed, \`${helmLine(act, ['rollback', release, 'REVISION', ...where])}\` goes back to it; then continue, or undo this run, which does the same.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function helm(act: HelmAct, words: readonly string[], signal: AbortSignal | undefined): Promise<string> {
  return helmProgram(`helm ${act.verb} of ${act.namespace}/${act.release}`, words, { signal, driver: act.driver });
}
