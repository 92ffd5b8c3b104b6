import type { KubeObject } from '#lib/kube/index.ts';
import type { WayOfUpgrade } from '#lib/plan/index.ts';
import { names } from '#lib/spec/index.ts';
import { hasEnded, isUnverified } from './has-ended.ts';
import { directionOf, type Journal, type RunState } from './journal.ts';
import { journalOf, looselyRead } from './read-journal.ts';

export type RunSummary = {
  run: string;
  goal: string;
  /** The releases of an upgrade, if its journal has them. */
  upgrade?: WayOfUpgrade;
  state: RunState | { kind: 'unreadable'; ended: boolean };
  startedAt: string;
  startedBy: string;
  planHash: string;
  /** The run's last direction. */
  direction: 'forward' | 'undo';
  /** Number of steps in that direction whose effect was not seen. */
  unverified: number;
  /** The namespace of its journal: earlier versions used kube-system. */
  namespace: string;
};

/** A run for lists. `foreign`: why it is not ours, as a sentence; null: this installation wrote it. */
export type ShownRun = RunSummary & { foreign: string | null };

/** Newest first, each run once: if two namespaces have the same id, the first namespace counts (`namespaceOfRun`). */
export function mergedRuns<Run extends RunSummary>(byNamespace: readonly (readonly Run[])[]): Run[] {
  const byId = new Map([...byNamespace].reverse().flatMap((runs) => runs.map((run) => [run.run, run] as const)));
  return [...byId.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** A run in one line. From a ConfigMap that this version cannot parse only the fields that all versions have are read. */
export function runSummaryOf(object: KubeObject, journal: Journal | null = journalOf(object)): RunSummary {
  const namespace = object.metadata.namespace ?? '';
  return { ...(journal ? summaryOf(journal) : unreadable(object)), namespace };
}

function summaryOf(journal: Journal): Omit<RunSummary, 'namespace'> {
  const { run, goal, upgrade, state, startedAt, startedBy, planHash } = journal;
  const direction = directionOf(journal);
  return {
    run,
    goal,
    ...(upgrade === undefined ? {} : { upgrade }),
    state,
    startedAt,
    startedBy,
    planHash,
    direction,
    unverified: unverifiedSteps(journal, direction),
  };
}

function unverifiedSteps({ entries }: Journal, direction: 'forward' | 'undo'): number {
  const finished = entries.filter((entry) => entry.what === 'finished' && entry.direction === direction);
  return finished.filter((entry) => 'outcome' in entry && isUnverified(entry.outcome)).length;
}

/** The summary of a journal of another version, from the few fields that all versions have: a run that has ended must not block a new one. */
function unreadable(object: KubeObject): Omit<RunSummary, 'namespace'> {
  const { metadata } = object;
  const fields = looselyRead(object);
  return {
    run: metadata.labels?.[names.runLabel] ?? metadata.name ?? '',
    goal: fields?.goal ?? 'unknown',
    state: { kind: 'unreadable', ended: fields !== null && hasEnded(fields.state) },
    startedAt: fields?.startedAt ?? metadata.creationTimestamp ?? '',
    startedBy: fields?.startedBy ?? 'unknown',
    planHash: '',
    direction: 'forward',
    unverified: 0,
  };
}

/**
 * The unfinished run, from runs newest first. One in the namespace of new runs comes first, so that a journal that somebody puts into the namespace
 * of earlier versions cannot hide it.
 */
export function unfinishedRun<Run extends RunSummary>(runs: readonly Run[]): Run | undefined {
  const unfinished = runs.filter(({ state }) => !hasEnded(state));
  return unfinished.find(({ namespace }) => namespace === names.journalNamespace) ?? unfinished[0];
}

/** Whether a run carries out this very plan. A run on its way back does not: starting the plan again has to wait for its end. */
export function carriesOut({ planHash, state }: RunSummary, hash: string): boolean {
  return planHash === hash && !('direction' in state && state.direction === 'undo');
}

/**
 * A later run that was not undone and builds on this one, so it must be undone first: undoing only the earlier one would, for example, turn eBPF off
 * under a proxy that the later one turned off. A run that restored kube-proxy does not count: it did what every undo does first, and its own undo
 * waits for an eBPF that may never work.
 */
export function laterRun(runs: readonly RunSummary[], journal: Journal): string | null {
  const later = runs.find(
    (one) => one.startedAt > journal.startedAt && one.state.kind !== 'undone' && one.goal !== 'restore',
  );
  return later?.run ?? null;
}

/** Why a run cannot be undone before this later one. */
export function laterRunWords(run: string): string {
  return `Run ${run} came later and builds on this one. Undo that one first.`;
}

/** Why no run can start or be undone while this one has not ended. */
export function unfinishedRunWords(run: string): string {
  return `Run ${run} on this cluster has not ended. Resume, undo or stop it first.`;
}
