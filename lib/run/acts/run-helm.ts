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

/** How long a helm that is at work is waited for: one that this run began outlives a process of ours that was killed. */
const othersMs = 30_000;
const lookEveryMs = 2_000;

/**
 * Runs the user's own helm, led to the cluster that this run is about whatever its own current context; what it prints is kept from the
 * journal. `dry-run`: only looks whether this helm can do it, whether the chart is there and of the release that was chosen, and whether a chart of
 * definitions keeps those that are there. Throws HelmMissing, and KubeError with what helm said.
 */
export async function runHelm(kube: Kube, act: HelmAct, mode: 'act' | 'dry-run', signal?: AbortSignal): Promise<void> {
  if (kube.helm) return runOwn(kube, kube.helm, act, mode, signal);
  if (!kube.reachedBy) throw new HelmMissing(`helm cannot reach ${kube.name}: it needs a context of a kubeconfig.`);
  const { kubeconfig, context } = kube.reachedBy;
  const cluster = ['--kube-context', context, ...(kubeconfig === null ? [] : ['--kubeconfig', resolve(kubeconfig)])];
  if (mode === 'act') {
    await untilFree(kube, act, signal);
    // A helm that this run had begun may have ended it meanwhile.
    if (await isHelmDone(kube, act, signal)) return;
    if (act.verb === 'rollback') {
      await refuseOthers(kube, act, signal);
      await refuseLostByRollback(kube, act, signal);
    }
  }
  if (act.verb === 'upgrade') {
    await seeHelm(act, signal);
    await seeChart(act, signal);
  }
  const args = [...helmArguments(act), ...cluster];
  if (mode === 'dry-run') {
    if (act.verb === 'upgrade' && act.holds !== undefined)
      await refuseLostByUpgrade(kube, act, () => helm(act, [...args, ...onlyRendered], signal), signal);
    return;
  }
  // Rendered and compared by the server first: what it refuses, and fields that others own, are told before anything is changed.
  if (act.verb === 'upgrade' && act.values !== undefined) {
    const said = await helm(act, [...args, '--dry-run=server', '--output', 'json'], signal);
    await refuseLostByUpgrade(kube, act, () => Promise.resolve(said), signal);
  }
  await helm(act, args, signal);
}

/** Helm asks the server for nothing but its own records: whoever plans may not be allowed more. */
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

/** By what Helm holds: the same once more would only add a revision. */
export async function isHelmDone(kube: Kube, act: HelmAct, signal?: AbortSignal): Promise<boolean> {
  return act.verb === 'rollback'
    ? isRolledBack(kube, act, act.revision, signal)
    : isUpgrade(kube, act, 'deployed', signal);
}

/** The newest revision has this status, and is what this upgrade makes. */
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
 * Of an upgrade that had begun: the revision that the plan found is no longer the one that is deployed, because this very upgrade came on top (helm calls
 * the earlier one superseded before it calls its own deployed), or because `helm rollback` brought it back under a new number. `target`: what was read
 * when the plan was made.
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

/** The line for an administrator who runs helm elsewhere; it names the context, as far as there is one. */
export function helmLine({ reachedBy }: Pick<Kube, 'reachedBy'>, act: HelmAct): string {
  return shellLine(...helmWords(act, [...helmArguments(act), ...contextOf(reachedBy)]));
}

const contextOf = (reachedBy: Kube['reachedBy']) => (reachedBy ? ['--kube-context', reachedBy.context] : []);

/** A rollback takes back all that came after the revision it goes to. */
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
    `The Helm release ${namespace}/${release} was changed after this run: ${inList(listed)}. Going back to revision ${act.revision} takes that back, too. If it should be, run \`${helmLine(kube, act)}\` and continue; else stop this run.`,
  );
}

/** An older helm knows no way to lay the values on those of the new chart. */
async function seeHelm(act: UpgradeAct, signal: AbortSignal | undefined): Promise<void> {
  if (act.values !== 'reset-then-reuse') return;
  const flag = '--reset-then-reuse-values';
  if ((await helm(act, ['upgrade', '--help'], signal)).includes(flag)) return;
  throw new KubeError(
    'invalid',
    `The helm of this machine does not know ${flag}. Install Helm 3.14 or newer, and try again.`,
  );
}

/** A folder or a packed chart is taken as it is, whatever name and version are asked for. */
async function seeChart(act: UpgradeAct, signal: AbortSignal | undefined): Promise<void> {
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

/** What the chart of the operator calls itself, wherever it is kept. */
const operatorsChart = 'tigera-operator';

/** Of a Chart.yaml as helm prints it. */
function chartField(shown: string, field: 'name' | 'version'): string {
  return new RegExp(`^${field}: *["']?([^\\s"']{1,100})`, 'm').exec(shown)?.[1] ?? 'none';
}

/** Helm refuses to upgrade a release that it takes for pending. A rollback settles one, and only gives a helm that is still at work its time. */
async function untilFree(kube: Kube, act: HelmAct, signal: AbortSignal | undefined): Promise<void> {
  for (let waited = 0; ; waited += lookEveryMs) {
    const newest = await helmState(kube, act, signal);
    if (!newest?.status.startsWith('pending')) return;
    if (waited >= othersMs) {
      if (act.verb === 'rollback') return;
      const { release, namespace } = act;
      const where = ['--namespace', namespace, ...contextOf(kube.reachedBy)];
      const history = shellLine(...helmWords(act, ['history', release, ...where]));
      throw new KubeError(
        'invalid',
        `Helm holds the release ${namespace}/${release} for unfinished: revision ${newest.revision} is ${newest.status}. If no helm is at work on it, \`${history}\` shows the last revision that was deployed, \`${shellLine(...helmWords(act, ['rollback', release, 'REVISION', ...where]))}\` goes back to it; then continue, or undo this run, which does the same.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function helm(act: HelmAct, words: readonly string[], signal: AbortSignal | undefined): Promise<string> {
  return helmProgram(`helm ${act.verb} of ${act.namespace}/${act.release}`, words, { signal, driver: act.driver });
}
