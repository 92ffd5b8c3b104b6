import { valueAt } from '#lib/base/records.ts';
import { agreeing, counted, duration, sentence } from '#lib/base/words.ts';
import type { Act, Plan, PlannedOperation } from '#lib/plan/index.ts';
import { planUndo } from '#lib/plan/plan-undo.ts';
import { dataplanePath, names } from '#lib/spec/index.ts';
import { hasEnded } from './has-ended.ts';
import { directionOf, forwardProgress, type Journal, phaseOf } from './journal.ts';
import type { NodeTime } from './node-times.ts';

/** One line of *before and after*, in words. */
export type BeforeAfter = { topic: string; before: string; after: string };

/** What taking the run back would do now. `because`: why it is not possible. */
export type WayBack = {
  possible: boolean;
  because: string | null;
  steps: number;
  usualSeconds: number;
  command: string;
};

export type ReportSummary = {
  /** Null while the run goes on, and for a journal that does not say. */
  endedAt: string | null;
  tookSeconds: number | null;
  /** `Done`, `Done, 2 not verified`, `Stopped at step 7`, `Taken back`. */
  outcome: string;
  /** What it came to, in a sentence or two: enough for an e-mail. */
  summary: string;
  beforeAfter: BeforeAfter[];
  wayBack: WayBack;
};

/** So many times the median is worth a word (mock › report: bars are amber from there on). */
export const slowFactor = 5;

/** Everything of a report that stands in its first lines. `unverified`: steps whose effect nobody saw. Pure. */
export function reportSummary(
  plan: Plan,
  journal: Journal,
  nodes: readonly NodeTime[],
  unverified: number,
): ReportSummary {
  const ended = journal.entries.findLast(({ what }) => what === 'ended');
  const endedAt = hasEnded(journal.state) ? (ended?.at ?? null) : null;
  const took = endedAt === null ? Number.NaN : (Date.parse(endedAt) - Date.parse(journal.startedAt)) / 1000;
  return {
    endedAt,
    tookSeconds: Number.isFinite(took) ? Math.max(0, took) : null,
    outcome: outcomeOf(plan, journal, unverified),
    summary: [...meaningOf(plan, journal, nodes), slowestOf(nodes)].filter((part) => part !== '').join(' '),
    beforeAfter: beforeAfter(plan, journal, nodes),
    wayBack: wayBackOf(plan, journal),
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
      return `Taken back${not}`;
    case 'stopped':
      return directionOf(journal) === 'undo'
        ? 'Stopped on the way back'
        : `Stopped${at === undefined ? '' : ` at step ${at}`}`;
    case 'failed':
      return `Failed${at === undefined ? '' : ` at step ${at}`}`;
    case 'paused':
      return state.direction === 'undo' ? 'Paused on the way back' : `Paused at step ${state.seq}`;
    case 'running':
      return state.direction === 'undo' ? 'Being taken back' : 'Running';
  }
}

function meaningOf(plan: Plan, { state }: Journal, nodes: readonly NodeTime[]): string[] {
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

function provenSentence(nodes: readonly NodeTime[]): string | null {
  const counts = nodes.filter(({ state }) => state !== 'not-counted');
  const proven = counts.filter(({ state }) => state === 'proven');
  const planes = new Set(proven.map(({ dataplane }) => dataplane));
  const [plane] = planes;
  if (proven.length === 0 || planes.size !== 1 || plane === null || plane === undefined) return null;
  const on = plane === 'bpf' ? 'eBPF' : 'the standard data plane';
  return proven.length === counts.length
    ? `${counts.length === 1 ? 'The one node runs' : `All ${counts.length} nodes run`} ${on}, proven by ${counts.length === 1 ? 'its agent' : 'their agents'}.`
    : `${proven.length} of ${counted(counts.length, 'node')} are proven to run ${on}.`;
}

/** The median of what nodes took, and the slowest where it is far above; in seconds. Null where nothing was measured. */
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
  /** Of the operations that change it. */
  of: (id: string) => boolean;
  before: (operation: PlannedOperation, plan: Plan) => string;
  after: (operation: PlannedOperation, plan: Plan, nodes: readonly NodeTime[]) => string;
};

/** What people ask about a switch, in the order in which they ask; each follows from what the plan recorded before its step. */
const rows: readonly Row[] = [
  {
    topic: 'Calico',
    of: (id) => id === 'custom-resources',
    before: () => 'not installed',
    after: (_operation, { release, choices }) => release?.version ?? choices.release ?? 'installed',
  },
  {
    topic: 'Data plane',
    of: (id) => id.startsWith('switch.'),
    before: ({ undo }) => planeWords(recorded(undo?.act, dataplanePath)),
    after: (_operation, _plan, nodes) => {
      const counts = nodes.filter(({ state }) => state !== 'not-counted');
      const proven = counts.filter(({ state, dataplane }) => state === 'proven' && dataplane === 'bpf').length;
      return counts.length === 0 ? 'eBPF' : `eBPF, proven on ${proven} of ${counted(counts.length, 'node')}`;
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

/** One row for each topic that the run changed. After an undo the way back has the last word. */
function beforeAfter(plan: Plan, journal: Journal, nodes: readonly NodeTime[]): BeforeAfter[] {
  return rows.flatMap(({ topic, of, before, after }): BeforeAfter[] => {
    const operation = plan.operations.find((one) => one.status === 'needed' && of(one.id));
    if (operation === undefined) return [];
    const was = before(operation, plan);
    const forward = phaseOf(journal, { direction: 'forward', seq: operation.seq });
    const back = phaseOf(journal, { direction: 'undo', seq: operation.seq });
    if (back === 'finished') return [{ topic, before: was, after: `${was} again` }];
    if (forward === 'ahead') return [{ topic, before: was, after: 'not changed' }];
    const isHalf = forward !== 'finished' || back !== 'ahead';
    return [{ topic, before: was, after: isHalf ? 'half-done' : after(operation, plan, nodes) }];
  });
}

/** A value that an undo puts back; undefined where it was not recorded. */
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

function wayBackOf(plan: Plan, journal: Journal): WayBack {
  const { state, run } = journal;
  const { finished, begun } = forwardProgress(journal);
  const steps = state.kind === 'undone' ? [] : planUndo(plan, finished, begun);
  const because =
    state.kind === 'undone'
      ? 'The run was taken back.'
      : !hasEnded(state)
        ? 'The run has not ended: its page offers the undo.'
        : steps.length === 0
          ? 'The run changed nothing that can be taken back.'
          : null;
  return {
    possible: because === null,
    because,
    steps: steps.length,
    usualSeconds: steps.reduce((sum, { usualSeconds }) => sum + usualSeconds, 0),
    command: `signalbox undo ${run}`,
  };
}
