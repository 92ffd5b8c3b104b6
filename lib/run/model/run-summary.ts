import type { KubeObject } from '#lib/kube/index.ts';
import type { WayOfUpgrade } from '#lib/plan/index.ts';
import { names } from '#lib/spec/index.ts';
import { hasEnded, isUnverified } from './has-ended.ts';
import { directionOf, type Journal, type RunState } from './journal.ts';
import { journalOf, looselyRead } from './read-journal.ts';

export type RunSummary = {
  run: string;
  goal: string;
  /** Of an upgrade, which way, where its journal says so. */
  upgrade?: WayOfUpgrade;
  state: RunState | { kind: 'unreadable'; ended: boolean };
  startedAt: string;
  startedBy: string;
  planHash: string;
  /** Which way it went last. */
  direction: 'forward' | 'undo';
  /** Steps on that way whose effect nobody saw. */
  unverified: number;
  /** Where its journal lies: versions before this one kept them in kube-system. */
  namespace: string;
};

/** As a face lists it. `foreign`: why it counts as a claim of somebody, as a sentence; null: this installation wrote it. */
export type ShownRun = RunSummary & { foreign: string | null };

/** Newest first, each run once: where two namespaces have one of the same id, it is the one of the earlier namespace (`namespaceOfRun`). */
export function mergedRuns<Run extends RunSummary>(byNamespace: readonly (readonly Run[])[]): Run[] {
  const byId = new Map([...byNamespace].reverse().flatMap((runs) => runs.map((run) => [run.run, run] as const)));
  return [...byId.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** A run in one line, read off its ConfigMap. */
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

/** A journal of another version: what it says in so many words is believed, so that a run that has ended holds nothing up. */
function unreadable(object: KubeObject): Omit<RunSummary, 'namespace'> {
  const { metadata } = object;
  const said = looselyRead(object);
  return {
    run: metadata.labels?.[names.runLabel] ?? metadata.name ?? '',
    goal: said?.goal ?? 'unknown',
    state: { kind: 'unreadable', ended: said !== null && hasEnded(said.state) },
    startedAt: said?.startedAt ?? metadata.creationTimestamp ?? '',
    startedBy: said?.startedBy ?? 'unknown',
    planHash: '',
    direction: 'forward',
    unverified: 0,
  };
}

/**
 * The run that has not ended, of runs newest first. One that lies where new runs lie comes first: a journal that somebody puts where earlier
 * versions kept theirs does not hide it.
 */
export function unfinishedRun<Run extends RunSummary>(runs: readonly Run[]): Run | undefined {
  const unfinished = runs.filter(({ state }) => !hasEnded(state));
  return unfinished.find(({ namespace }) => namespace === names.journalNamespace) ?? unfinished[0];
}

/** Whether a run carries this very plan out. One that is on its way back does not: to start the plan again is to wait for that first. */
export function carriesOut({ planHash, state }: RunSummary, hash: string): boolean {
  return planHash === hash && !('direction' in state && state.direction === 'undo');
}

/**
 * A run that was begun after this one and not undone: it rests on what this one did, so it goes first. Undoing the earlier one alone
 * would, for example, take eBPF from under a proxy that the later one turned off. One that restored kube-proxy is no such: it did what every way back
 * does first, and its own way back waits for an eBPF that may never work.
 */
export function laterRun(runs: readonly RunSummary[], journal: Journal): string | null {
  const later = runs.find(
    (one) => one.startedAt > journal.startedAt && one.state.kind !== 'undone' && one.goal !== 'restore',
  );
  return later?.run ?? null;
}

export function laterRunWords(run: string): string {
  return `Run ${run} came later and builds on this one. Undo that one first.`;
}

export function unfinishedRunWords(run: string): string {
  return `Run ${run} on this cluster has not ended. Carry it on, undo it or end it where it stands first.`;
}
