import { execFile } from 'node:child_process';
import { type Kube, KubeError } from '#lib/kube/index.ts';
import { type Act, helmArguments } from '#lib/plan/index.ts';
import { saidByProgram, shellLine } from '#lib/text/index.ts';
import { chartOf, helmState } from './helm-state.ts';

export type HelmAct = Extract<Act, { kind: 'helm' }>;

const longestMs = 600_000;
const largestOutputBytes = 16 * 1024 * 1024;

/** How long a helm that is at work is waited for: one that this run began outlives a process of ours that was killed. */
const othersMs = 30_000;
const lookEveryMs = 2_000;

/** No helm here, or no way for it to this cluster: the lines are for the administrator to run, and their effect is awaited. */
export class HelmMissing extends Error {}

/**
 * Runs the user's own helm, led to the cluster that this run is about whatever its own current context: words and no shell, ten minutes, what it
 * prints is bounded and kept from the journal. `dry-run`: only looks whether the chart is there and of the release that was chosen. Throws HelmMissing, and
 * KubeError with what helm said.
 */
export async function runHelm(kube: Kube, act: HelmAct, mode: 'act' | 'dry-run', signal?: AbortSignal): Promise<void> {
  if (kube.helm) return mode === 'act' ? kube.helm(helmArguments(act)) : undefined;
  if (!kube.reachedBy) throw new HelmMissing(`helm cannot reach ${kube.name}: it needs a context of a kubeconfig.`);
  const { kubeconfig, context } = kube.reachedBy;
  const cluster = ['--kube-context', context, ...(kubeconfig === null ? [] : ['--kubeconfig', kubeconfig])];
  if (mode === 'act') await untilFree(kube, act, signal);
  if (act.verb === 'upgrade' && act.values !== undefined) await seeChart(act, signal);
  if (mode === 'dry-run') return;
  const args = [...helmArguments(act), ...cluster];
  // Rendered and compared by the server first: what it refuses, and fields that others own, are told before anything is changed.
  if (act.verb === 'upgrade' && act.values !== undefined) await helm(act, [...args, '--dry-run=server'], signal);
  await helm(act, args, signal);
}

/** By the chart that Helm holds: the same upgrade once more would only add a revision. A rollback is told by its own condition. */
export async function isUpgraded(kube: Kube, act: HelmAct, signal?: AbortSignal): Promise<boolean> {
  if (act.verb !== 'upgrade' || act.values === undefined || act.version === null) return false;
  const newest = await helmState(kube, act, signal);
  if (newest?.status !== 'deployed') return false;
  const chart = await chartOf(kube, act, newest.revision, signal);
  return chart?.endsWith(`-${act.version}`) === true;
}

/** The lines for an administrator who runs helm elsewhere. */
export function helmLine(act: HelmAct): string {
  return shellLine('helm', ...helmArguments(act));
}

/** A folder or a packed chart is taken as it is, whatever version is asked for. */
async function seeChart(act: Extract<HelmAct, { verb: 'upgrade' }>, signal: AbortSignal | undefined): Promise<void> {
  const version = act.version === null ? [] : ['--version', act.version];
  const shown = await helm(act, ['show', 'chart', act.chart, ...version], signal);
  const found = /^version: *["']?([^\s"']{1,100})/m.exec(shown)?.[1] ?? 'none';
  if (act.version !== null && found !== act.version)
    throw new KubeError('invalid', `The chart ${act.chart} is of version ${found}, and ${act.version} is needed.`);
}

/** Helm refuses a release that it takes for pending. A rollback is what settles one. */
async function untilFree(kube: Kube, act: HelmAct, signal: AbortSignal | undefined): Promise<void> {
  if (act.verb === 'rollback') return;
  for (let waited = 0; ; waited += lookEveryMs) {
    const newest = await helmState(kube, act, signal);
    if (!newest?.status.startsWith('pending')) return;
    if (waited >= othersMs) {
      const { release, namespace } = act;
      const history = shellLine('helm', 'history', release, '--namespace', namespace);
      throw new KubeError(
        'invalid',
        `Helm holds the release ${namespace}/${release} for unfinished: revision ${newest.revision} is ${newest.status}. If no helm is at work on it, \`${history}\` shows the last revision that was deployed, \`${shellLine('helm', 'rollback', release, 'REVISION', '--namespace', namespace)}\` goes back to it; then continue, or undo this run, which does the same.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function helm(act: HelmAct, args: readonly string[], signal: AbortSignal | undefined): Promise<string> {
  const options = { timeout: longestMs, maxBuffer: largestOutputBytes, ...(signal ? { signal } : {}) };
  return new Promise((resolve, reject) => {
    execFile('helm', args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return reject(new HelmMissing('helm is not installed on this machine.'));
      // The error of execFile repeats the command line and everything that helm said.
      const said = saidByProgram(stderr);
      const why = error.killed ? `it did not end within ${longestMs / 60_000} minutes` : said.line;
      reject(
        new KubeError(
          isAway.test(stderr) ? 'unreachable' : 'invalid',
          `helm ${act.verb} of ${act.namespace}/${act.release} failed: ${why}${hintOf(stderr)}`,
          {},
          said.whole === null ? undefined : new Error(`helm wrote: ${said.whole}`),
        ),
      );
    });
  });
}

/** What helm says of an API server that does not answer: waiting may fix it, and nothing else that helm refuses. */
const isAway = /Kubernetes cluster unreachable|connection refused|i\/o timeout|TLS handshake timeout/;

const hints: readonly { said: RegExp; hint: string }[] = [
  {
    said: /repo \S+ not found|no repo named/,
    hint: ' Add the repository (`helm repo add projectcalico https://docs.tigera.io/calico/charts`), or name the chart by --chart.',
  },
  { said: /unknown flag: --reset-then-reuse-values/, hint: ' Helm 3.14 or newer is needed.' },
  { said: /no chart version found|chart "\S+" version "\S+" not found/, hint: ' `helm repo update` may be due.' },
];

function hintOf(stderr: string): string {
  return hints.find(({ said }) => said.test(stderr))?.hint ?? '';
}
