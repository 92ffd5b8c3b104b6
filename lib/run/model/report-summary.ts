import { valueAt } from '#lib/base/records.ts';
import { agreeing, counted, duration, inList, sentence, thousands } from '#lib/base/words.ts';
import type { Act, Plan, PlannedOperation } from '#lib/plan/index.ts';
import { planUndo } from '#lib/plan/plan-undo.ts';
import { legsOfUpgrade } from '#lib/plan/upgrade/way-of-upgrade.ts';
import { dataplanePath, names } from '#lib/spec/index.ts';
import { type FlagsByProgram, withClusterFlags } from '#lib/text/index.ts';
import type { OperationLine } from './event.ts';
import { hasEnded, isUnverified } from './has-ended.ts';
import { directionOf, forwardProgress, type Journal, phaseOf, type StepKey } from './journal.ts';
import type { NodeTime } from './node-times.ts';
import type { Provenance } from './provenance.ts';
import { laterRun, laterRunWords, type RunSummary, unfinishedRun, unfinishedRunWords } from './run-summary.ts';

/** One line of *before and after*, in words. */
type BeforeAfter = { topic: string; before: string; after: string };

/** What undoing the run would do now. `because`: why it is not possible. */
type WayBack = {
  possible: boolean;
  because: string | null;
  steps: number;
  usualSeconds: number;
  command: string;
};

/** `besides`: all runs of the cluster; some keep this one from being undone. `flags`: name the cluster in commands. */
export type ReportContext = { besides: readonly RunSummary[]; flags: FlagsByProgram };

export type ReportSummary = {
  /** RFC 3339. Null while the run goes on, and for a journal without an entry of its end. */
  endedAt: string | null;
  tookSeconds: number | null;
  /** `Done`, `Done, 2 not verified`, `Stopped at step 7`, `Undone`. */
  outcome: string;
  /** The result in a sentence or two, enough for an e-mail. */
  summary: string;
  beforeAfter: BeforeAfter[];
  wayBack: WayBack;
};

/** A node that takes this many times the median is mentioned (mock › report: bars are amber from there on). */
export const slowFactor = 5;

/** Steps whose effect was not seen and that a summary names; a report's table has all. */
const mostNamed = 3;

/** The first lines of a report. `unverified`: the steps whose effect was not seen. Pure. */
export function reportSummary(
  plan: Plan,
  journal: Journal,
  nodes: readonly NodeTime[],
  unverified: readonly Pick<OperationLine, 'seq' | 'title'>[],
  around: ReportContext & { provenance: Provenance },
): ReportSummary {
  const ended = journal.entries.findLast(({ what }) => what === 'ended');
  const endedAt = hasEnded(journal.state) ? (ended?.at ?? null) : null;
  const took = endedAt === null ? Number.NaN : (Date.parse(endedAt) - Date.parse(journal.startedAt)) / 1000;
  return {
    endedAt,
    tookSeconds: Number.isFinite(took) ? Math.max(0, took) : null,
    outcome: outcomeOf(plan, journal, unverified.length),
    summary: [...sentencesOf(plan, journal, nodes), unverifiedSentence(unverified), slowestOf(nodes)]
      .filter((part) => part !== '')
      .join(' '),
    beforeAfter: [...releaseRow(plan, journal), ...beforeAfter(plan, journal, nodes)],
    wayBack: wayBackOf(plan, journal, around),
  };
}

function outcomeOf(plan: Plan, journal: Journal, unverified: number): string {
  const { state } = journal;
  const not = unverified === 0 ? '' : `, ${unverified} not verified`;
  const { begun, finished } = forwardProgress(journal);
  const at = begun ?? plan.operations.find((one) => one.status === 'needed' && !finished.includes(one.seq))?.seq;
  switch (state.kind) {
    case 'done':
      return `Done${not}`;
    case 'undone':
      return `Undone${not}`;
    case 'stopped':
      return directionOf(journal) === 'undo'
        ? 'Stopped on the way back'
        : `Stopped${at === undefined ? '' : ` at step ${at}`}`;
    case 'failed':
      return `Failed${at === undefined ? '' : ` at step ${at}`}`;
    case 'paused':
      return state.direction === 'undo' ? 'Paused on the way back' : `Paused at step ${state.seq}`;
    case 'running':
      return state.direction === 'undo' ? 'Being undone' : 'Running';
  }
}

function sentencesOf(plan: Plan, { state }: Journal, nodes: readonly NodeTime[]): string[] {
  if ('because' in state) return [sentence(state.because)];
  if (state.kind === 'undone')
    return [
      plan.goal === 'install' ? 'What this run installed is removed.' : 'The cluster is as it was before this run.',
    ];
  if (state.kind === 'stopped')
    return [
      state.remains.length === 0
        ? 'Nothing was changed.'
        : `${counted(state.remains.length, 'change')} ${agreeing(state.remains.length, 'stays', 'stay')} on the cluster.`,
    ];
  if (state.kind !== 'done') return ['The run has not ended.'];
  return [provenSentence(nodes) ?? 'Every step was carried out.'];
}

/** `Not verified: step 12 (Stop kubeadm from reinstalling kube-proxy).` */
function unverifiedSentence(steps: readonly Pick<OperationLine, 'seq' | 'title'>[]): string {
  const named = steps.map(({ seq, title }) => `step ${seq} (${title})`);
  return named.length === 0 ? '' : `Not verified: ${inList(named, mostNamed)}.`;
}

function provenSentence(nodes: readonly NodeTime[]): string | null {
  const counts = nodes.filter(({ state }) => state !== 'not-counted');
  const proven = counts.filter(({ state }) => state === 'proven');
  const planes = new Set(proven.map(({ dataplane }) => dataplane));
  const [plane] = planes;
  if (proven.length === 0 || planes.size !== 1 || plane === null || plane === undefined) return null;
  const on = plane === 'bpf' ? 'eBPF' : 'the standard data plane';
  return proven.length === counts.length
    ? `${counts.length === 1 ? 'The one node runs' : `All ${counted(counts.length, 'node')} run`} ${on}, proven by ${counts.length === 1 ? 'its agent' : 'their agents'}.`
    : `${thousands(proven.length)} of ${counted(counts.length, 'node')} are proven to run ${on}.`;
}

/** The median of the nodes' durations in seconds, and the slowest if it is far above. Null if nothing was measured. */
export function medianSeconds(nodes: readonly NodeTime[]): number | null {
  const took = nodes.flatMap(({ tookSeconds }) => tookSeconds ?? []).sort((one, other) => one - other);
  return took[Math.floor(took.length / 2)] ?? null;
}

function slowestOf(nodes: readonly NodeTime[]): string {
  const median = medianSeconds(nodes) ?? 0;
  const slow = nodes
    .filter(({ tookSeconds }) => median > 0 && (tookSeconds ?? 0) > slowFactor * median)
    .sort((one, other) => (other.tookSeconds ?? 0) - (one.tookSeconds ?? 0));
  const [first] = slow;
  if (first === undefined) return '';
  const more = slow.length === 1 ? '' : `, and ${slow.length - 1} more were slow`;
  return `${first.name} took ${duration(first.tookSeconds ?? 0)}, the median is ${duration(median)}${more}.`;
}

type Row = {
  topic: string;
  /** The operations that change this topic. */
  of: (id: string) => boolean;
  before: (operation: PlannedOperation, plan: Plan) => string;
  after: (operation: PlannedOperation, plan: Plan, nodes: readonly NodeTime[]) => string;
  /** `after` itself says how many nodes proved it. */
  provenByNodes?: true;
};

/** What people ask about a switch, in their order. Each value follows from what the plan recorded before its step. */
const rows: readonly Row[] = [
  {
    topic: 'Calico',
    of: (id) => id === 'custom-resources',
    before: () => 'not installed',
    after: (_operation, { release, choices }) => release?.version ?? choices.release ?? 'installed',
  },
  {
    topic: 'Data plane',
    provenByNodes: true,
    of: (id) => id.startsWith('switch.'),
    before: ({ undo }) => planeWords(recorded(undo?.act, dataplanePath)),
    after: (_operation, _plan, nodes) => {
      const counts = nodes.filter(({ state }) => state !== 'not-counted');
      const proven = counts.filter(({ state, dataplane }) => state === 'proven' && dataplane === 'bpf').length;
      return counts.length === 0 ? 'eBPF' : `eBPF, proven on ${thousands(proven)} of ${counted(counts.length, 'node')}`;
    },
  },
  {
    topic: 'Service proxy',
    of: (id) => id.startsWith('proxy.disable.') || id === 'proxy.instructions',
    before: () => 'kube-proxy on',
    after: () => 'kube-proxy off',
  },
  {
    topic: 'Service proxy',
    of: (id) => id.startsWith('proxy.restore'),
    before: () => 'kube-proxy off',
    after: () => 'kube-proxy on',
  },
  {
    topic: 'API server by',
    of: (id) => id === 'endpoint.configmap',
    before: ({ undo }) => {
      const [host, port] = [names.endpointHostKey, names.endpointPortKey].map((key) =>
        recorded(undo?.act, ['data', key]),
      );
      return typeof host === 'string'
        ? `${host}:${typeof port === 'string' ? port : ''}`
        : 'its Service, through kube-proxy';
    },
    after: (_operation, { choices: { endpoint } }) =>
      endpoint === undefined ? 'its real address' : `${endpoint.host}:${endpoint.port}`,
  },
  {
    topic: 'kubeadm',
    of: (id) => id === 'proxy.forget-kubeadm',
    before: () => 'an upgrade reinstalls kube-proxy',
    after: () => 'an upgrade leaves kube-proxy off',
  },
];

/** The release before and after an upgrade: the last one that every node came to. `half-done`: some may have left it for another. */
function releaseRow(plan: Plan, journal: Journal): BeforeAfter[] {
  const legs = legsOfUpgrade(plan);
  if (legs === null) return [];
  const before = legs.from ?? 'an earlier release';
  const row = (after: string) => [{ topic: 'Calico', before, after }];
  const isBack = directionOf(journal) === 'undo';
  const doubtOf = (seq: number) =>
    isUnseen(journal, { direction: isBack ? 'undo' : 'forward', seq }) ? ', not verified' : '';
  const phase = (seq: number) => phaseOf(journal, { direction: 'forward', seq });
  const left = legs.to.filter(({ movedBy }) => phase(movedBy) !== 'ahead');
  const [first] = left;
  if (first === undefined) return row('not changed');
  if (isBack)
    return phaseOf(journal, { direction: 'undo', seq: first.movedBy }) === 'finished'
      ? row(`${before} again${doubtOf(first.movedBy)}`)
      : row('half-done');
  const last = left.at(-1) ?? first;
  return phase(last.seq) === 'finished' ? row(`${last.version}${doubtOf(last.seq)}`) : row('half-done');
}

/** One row for each topic that the run changed. After an undo, the undo decides. */
function beforeAfter(plan: Plan, journal: Journal, nodes: readonly NodeTime[]): BeforeAfter[] {
  const areCounted = nodes.some(({ state }) => state !== 'not-counted');
  return rows.flatMap(({ topic, of, before, after, provenByNodes }): BeforeAfter[] => {
    const operation = plan.operations.find((one) => one.status === 'needed' && of(one.id));
    if (operation === undefined) return [];
    const was = before(operation, plan);
    const forward = phaseOf(journal, { direction: 'forward', seq: operation.seq });
    const back = phaseOf(journal, { direction: 'undo', seq: operation.seq });
    const doubt = (direction: StepKey['direction']) =>
      isUnseen(journal, { direction, seq: operation.seq }) ? ', not verified' : '';
    if (back === 'finished') return [{ topic, before: was, after: `${was} again${doubt('undo')}` }];
    if (forward === 'ahead') return [{ topic, before: was, after: 'not changed' }];
    if (forward !== 'finished' || back !== 'ahead') return [{ topic, before: was, after: 'half-done' }];
    const isProven = provenByNodes === true && areCounted;
    return [{ topic, before: was, after: `${after(operation, plan, nodes)}${isProven ? '' : doubt('forward')}` }];
  });
}

/** Whether the effect of a finished step was not seen. */
function isUnseen({ entries }: Journal, { direction, seq }: StepKey): boolean {
  const last = entries.findLast(
    (entry) => entry.what === 'finished' && entry.direction === direction && entry.seq === seq,
  );
  return last?.what === 'finished' && isUnverified(last.outcome);
}

/** A value that an undo restores; undefined if it was not recorded. */
function recorded(act: Act | undefined, path: readonly string[]): unknown {
  if (act === undefined) return undefined;
  if (act.kind === 'sequence')
    return act.steps.map((step) => recorded(step.act, path)).find((value) => value !== undefined);
  return 'body' in act ? valueAt(act.body, path) : undefined;
}

function planeWords(value: unknown): string {
  if (value === 'Nftables') return 'nftables';
  if (value === 'VPP') return 'VPP';
  return value === 'BPF' ? 'eBPF' : 'iptables';
}

/** The reasons are those for which the undo is refused (lib/run/runs/decide-continuation.ts). */
function wayBackOf(
  plan: Plan,
  journal: Journal,
  { besides, flags, provenance }: ReportContext & { provenance: Provenance },
): WayBack {
  const { state, run } = journal;
  const { finished, begun } = forwardProgress(journal);
  const steps = state.kind === 'undone' ? [] : planUndo(plan, finished, begun);
  const command = withClusterFlags(`signalbox undo ${run}`, flags);
  const whyNot = (): string | null => {
    if (state.kind === 'undone') return 'The run was undone.';
    if (!hasEnded(state)) return 'The run has not ended: its page offers the undo.';
    if (steps.length === 0) return 'The run changed nothing that can be undone.';
    const open = unfinishedRun(besides.filter((one) => one.run !== run));
    if (open) return unfinishedRunWords(open.run);
    const later = laterRun(besides, journal);
    if (later !== null) return laterRunWords(later);
    if (provenance.kind === 'own') return null;
    // The head of each report names why this run is foreign.
    return `Only a run of this installation is undone without a question. \`${command}\` shows first what it would do, and asks for the cluster's name.`;
  };
  const because = whyNot();
  return {
    possible: because === null,
    because,
    steps: steps.length,
    usualSeconds: steps.reduce((sum, { usualSeconds }) => sum + usualSeconds, 0),
    command,
  };
}
