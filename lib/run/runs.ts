import { randomBytes } from 'node:crypto';
import { type Clock, isKubeError, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { inOwnWords, type Plan } from '#lib/plan/index.ts';
import { type JournalPlaces, names, resources } from '#lib/spec/index.ts';
import type { RunControl } from './control.ts';
import type { Emit, RunEvent } from './event.ts';
import { executeRun, type RunOutcome, remainsOf } from './executor.ts';
import type { ForeignContinuation } from './foreign/foreign-review.ts';
import { holderIdentity, type Identity, processState } from './identity.ts';
import {
  type Accepted,
  directionOf,
  type Entry,
  hasEnded,
  type Journal,
  type RunState,
  subjectKey,
} from './journal.ts';
import { prepareJournalNamespace } from './journal-namespace.ts';
import {
  createJournal,
  isOfCluster,
  journalOf,
  looselyRead,
  type OpenJournal,
  openJournal,
  readJournal,
} from './journal-store.ts';
import { acquireLease, type HeldLease, leaseTimes, livingHolder } from './lease.ts';
import type { Manifests } from './manifest-acts.ts';
import { digestOfRun } from './memory/digest-of-run.ts';
import type { ForeignReason, Provenance } from './memory/provenance.ts';
import type { RunMemory } from './memory/run-memory.ts';
import { placeOfRun } from './place-of-run.ts';
import { unfinishedRun } from './unfinished-run.ts';

/** Everything a process needs to carry runs on one cluster. */
export type RunContext = {
  kube: Kube;
  clock: Clock;
  /** Where journals may lie; a new run, and its Lease, lie in the first. A run is carried where it lies. */
  places: JournalPlaces;
  identity: Identity;
  /** What tells this installation's own runs from others'. */
  memory: RunMemory;
  control: RunControl;
  /** Where files of releases come from, for plans that install. */
  manifests?: Manifests | undefined;
  /** Receives every event with its id and time. */
  onEvent(event: RunEvent): void;
  signal: AbortSignal;
  /** From 0 to 1; left out, as the machine throws the dice. */
  random?: (() => number) | undefined;
  /** What is known of the process of a holder of this installation; left out, its machine is asked. */
  stateOf?: typeof processState | undefined;
};

/** `namespace`: where this run and its Lease lie. */
type PlacedRun = RunContext & { namespace: string };

/** Why a run did not start or go on; nothing was changed. */
export type Refusal =
  | { kind: 'held'; holder: string; run: string | null }
  | { kind: 'unfinished'; run: string; samePlan: boolean }
  | { kind: 'no-such-run' }
  | { kind: 'ended'; state: RunState['kind'] }
  | { kind: 'later-run'; run: string }
  /** A doubt is accepted for the step that is paused with it, and for the subjects that it names there. */
  | { kind: 'nothing-to-accept' }
  | { kind: 'other-cluster' }
  /** Not this installation's own: it is looked through first, and `confirmed` says that it was. */
  | { kind: 'foreign'; run: string; because: ForeignReason }
  /** The foreign run is another by now than the one that was looked through. */
  | { kind: 'changed-since-shown'; run: string };

export type RunResult = { run: string; outcome: RunOutcome } | { refused: Refusal };

export type RunSummary = {
  run: string;
  goal: string;
  state: RunState | { kind: 'unreadable'; ended: boolean };
  startedAt: string;
  startedBy: string;
  planHash: string;
  /** Where its journal lies: versions before this one kept them in kube-system. */
  namespace: string;
};

/** Starts a plan under the Lease. A cluster with a run that has not ended is refused: it is carried on, taken back or stopped first. */
export async function startRun(context: RunContext, plan: Plan): Promise<RunResult> {
  if (!(await isOfCluster(context.kube, plan))) return { refused: { kind: 'other-cluster' } };
  const [namespace] = context.places;
  await prepareJournalNamespace(context.kube, namespace);
  return underLease(context, namespace, async (lease) => {
    const unfinished = unfinishedRun(await listRuns(context.kube, context.places));
    if (unfinished)
      return { refused: { kind: 'unfinished', run: unfinished.run, samePlan: unfinished.planHash === plan.hash } };
    const missing = await missingRun(context, plan);
    if (missing !== null) return { refused: { kind: 'unfinished', run: missing, samePlan: false } };
    return begin({ ...context, namespace }, lease, plan);
  });
}

/**
 * A run of this installation that has not ended, and whose journal somebody deleted: a new one would take what it did for what was there before.
 * It is carried on, taken back or stopped from the copy.
 */
async function missingRun({ kube, memory, places }: RunContext, { clusterUid }: Plan): Promise<string | null> {
  for (const { journal } of clusterUid === null ? [] : await memory.ofCluster(clusterUid)) {
    if (hasEnded(journal.state)) continue;
    const opened = await openJournal(kube, await placeOfRun(kube, places, journal.run), journal.run, memory);
    if (opened && !opened.isInCluster()) return journal.run;
  }
  return null;
}

async function begin(context: PlacedRun, lease: HeldLease, plan: Plan): Promise<RunResult> {
  const startedAt = new Date(context.clock.now()).toISOString();
  const journal: Journal = {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run: newRunId(startedAt),
    goal: plan.goal,
    cluster: plan.cluster,
    planHash: plan.hash,
    startedAt,
    startedBy: holderIdentity(context.identity),
    state: { kind: 'running', direction: 'forward' },
    accepted: [],
    entries: [],
  };
  const opened = await createJournal(context.kube, context.namespace, { journal, plan }, context.memory);
  return { run: journal.run, outcome: await execute(context, lease, opened) };
}

/** The new run lies where new runs lie, also where the one that it replaces does not; both Leases are held then. */
async function beginInPlaceOf(context: PlacedRun, lease: HeldLease, plan: Plan): Promise<RunResult> {
  const [namespace] = context.places;
  if (namespace === context.namespace) return begin(context, lease, plan);
  return underLease(context, namespace, (own) => begin({ ...context, namespace }, own, plan));
}

/** `confirmed`: the foreign run that somebody looked through and confirmed by the cluster's name (`reviewForeignRun`). */
export type Continuation =
  | { how: 'resume'; acknowledge?: Record<string, string>; confirmed?: ConfirmedRun | undefined }
  | { how: 'undo'; confirmed?: ConfirmedRun | undefined }
  | { how: 'stop' };

/** `digest`: `digestOfRun` of what was looked through; the rest is what is done now. */
export type ConfirmedRun = { digest: string } & ForeignContinuation;

/**
 * Carries a run on, takes it back, or ends it where it stands. A foreign run that was confirmed to be carried on ends where it stands, and a run of this
 * installation begins in its place: the answer names that one.
 */
export async function continueRun(context: RunContext, run: string, continuation: Continuation): Promise<RunResult> {
  const namespace = await placeOfRun(context.kube, context.places, run);
  const seen = await openJournal(context.kube, namespace, run, context.memory);
  if (!seen) return { refused: { kind: 'no-such-run' } };
  // Nobody waits for a Lease to hear that the run is to be looked through first.
  const early = foreignRefusal(seen, run, continuation);
  if (early) return { refused: early };
  if (!seen.isInCluster()) await prepareJournalNamespace(context.kube, namespace);
  return underLease(context, namespace, async (lease) => {
    const opened = await openJournal(context.kube, namespace, run, context.memory);
    if (!opened) return { refused: { kind: 'no-such-run' } };
    if (!(await isOfCluster(context.kube, opened.plan))) return { refused: { kind: 'other-cluster' } };
    const { state } = opened.current();
    const undoable = state.kind === 'done' || state.kind === 'stopped' || state.kind === 'failed';
    if (hasEnded(state) && !(continuation.how === 'undo' && undoable))
      return { refused: { kind: 'ended', state: state.kind } };

    const besides = await listRuns(context.kube, placesBeside(context.places, namespace));
    const other = besides.find((one) => one.run !== run && !hasEnded(one.state));
    if (other) return { refused: { kind: 'unfinished', run: other.run, samePlan: false } };

    const refusal = foreignRefusal(opened, run, continuation);
    if (refusal) return { refused: refusal };
    if (!opened.isInCluster()) await opened.restore();
    const confirmed = opened.provenance.kind === 'foreign' && 'confirmed' in continuation && continuation.confirmed;
    if (confirmed && confirmed.how === 'undo') opened.adopt(confirmed);
    const how = confirmed ? confirmed.how : continuation.how;

    const at = new Date(context.clock.now()).toISOString();
    const by = holderIdentity(context.identity);
    const entries: Entry[] = lease.takenFrom ? [{ what: 'taken-over', at, by, from: lease.takenFrom }] : [];
    const isReplaced = confirmed && confirmed.how === 'resume';
    if (isReplaced) await prepareJournalNamespace(context.kube, context.places[0]);
    if (continuation.how === 'stop' || isReplaced) {
      const remains = remainsOf(opened);
      await opened.append([...entries, { what: 'ended', at, state: 'stopped' }], {
        state: { kind: 'stopped', remains },
      });
      if (isReplaced) return beginInPlaceOf({ ...context, namespace }, lease, confirmed.plan);
      return { run, outcome: { kind: 'stopped', remains } };
    }
    const later = how === 'undo' ? laterRun(besides, opened.current()) : null;
    if (later) return { refused: { kind: 'later-run', run: later } };
    const acknowledge = continuation.how === 'resume' ? (continuation.acknowledge ?? {}) : {};
    const accepted = accept(state, acknowledge);
    if (accepted === 'nothing-to-accept') return { refused: { kind: 'nothing-to-accept' } };
    for (const [id, reason] of Object.entries(acknowledge)) entries.push({ what: 'acknowledged', at, id, reason });
    const undoing = directionOf(opened.current()) === 'undo';
    if (how === 'undo' && !undoing) entries.push({ what: 'undo-asked', at, by });
    else entries.push({ what: 'resumed', at, by });
    await opened.append(entries, {
      state: { kind: 'running', direction: how === 'undo' || undoing ? 'undo' : 'forward' },
      accepted: [...opened.current().accepted, ...accepted],
    });
    return { run, outcome: await execute({ ...context, namespace }, lease, opened) };
  });
}

/**
 * Where a run that goes on looks for others: in its own place and in that of new runs. A journal that somebody puts where earlier versions kept
 * theirs keeps no run from going on; a process of such a version that is at work there holds its Lease (`underLease`).
 */
function placesBeside([first]: JournalPlaces, own: string): JournalPlaces {
  return own === first ? [first] : [first, own];
}

/** To stop a run writes nothing but that it was stopped, and leaves it as foreign as it was. */
function foreignRefusal(opened: OpenJournal, run: string, continuation: Continuation): Refusal | null {
  if (continuation.how === 'stop' || opened.provenance.kind === 'own') return null;
  const { confirmed } = continuation;
  if (!confirmed) return { kind: 'foreign', run, because: opened.provenance.because };
  return confirmed.digest === digestOfRun(opened) ? null : { kind: 'changed-since-shown', run };
}

function accept(state: RunState, acknowledge: Record<string, string>): Accepted[] | 'nothing-to-accept' {
  const given = Object.entries(acknowledge);
  if (given.length === 0) return [];
  if (state.kind !== 'paused' || state.code !== 'unknown') return 'nothing-to-accept';
  if (given.some(([id]) => id !== state.id)) return 'nothing-to-accept';
  const { direction, seq, subjects } = state;
  return given.map(([, reason]) => ({ direction, seq, reason, subjects: subjects.map(subjectKey) }));
}

/**
 * A run that was begun after this one and not taken back: it rests on what this one did, so it goes first. Undoing the earlier one alone
 * would, for example, take eBPF from under a proxy that the later one turned off.
 */
function laterRun(runs: readonly RunSummary[], journal: Journal): string | null {
  const later = runs.find((one) => one.startedAt > journal.startedAt && one.state.kind !== 'undone');
  return later?.run ?? null;
}

/** Newest first. A journal that this version cannot read is listed all the same: it may be a run that has not ended. */
export async function listRuns(kube: Kube, places: JournalPlaces): Promise<RunSummary[]> {
  const found: RunSummary[][] = [];
  for (const namespace of places) {
    const runs: RunSummary[] = [];
    for await (const page of kube.list(resources.configMaps, { namespace, labelSelector: names.runLabel }))
      runs.push(...page.items.map(runSummaryOf));
    found.push(runs);
  }
  return runsOfPlaces(found);
}

/** Newest first, each run once: where two places have one of the same id, it is the one of the earlier place (`placeOfRun`). */
export function runsOfPlaces(places: readonly (readonly RunSummary[])[]): RunSummary[] {
  const byId = new Map([...places].reverse().flatMap((runs) => runs.map((run) => [run.run, run] as const)));
  return [...byId.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** The run that a journal's ConfigMap tells of. */
export function runSummaryOf(object: KubeObject): RunSummary {
  const journal = journalOf(object);
  const namespace = object.metadata.namespace ?? '';
  return { ...(journal ? summaryOf(journal) : unreadable(object)), namespace };
}

type Told = Omit<RunSummary, 'namespace'>;

function summaryOf({ run, goal, state, startedAt, startedBy, planHash }: Journal): Told {
  return { run, goal, state, startedAt, startedBy, planHash };
}

/** A journal of another version: what it says in so many words is believed, so that a run that has ended holds nothing up. */
function unreadable(object: KubeObject): Told {
  const { metadata } = object;
  const told = looselyRead(object);
  return {
    run: metadata.labels?.[names.runLabel] ?? metadata.name ?? '',
    goal: told?.goal ?? 'unknown',
    state: { kind: 'unreadable', ended: told !== null && hasEnded(told.state) },
    startedAt: told?.startedAt ?? metadata.creationTimestamp ?? '',
    startedBy: told?.startedBy ?? 'unknown',
    planHash: '',
  };
}

type LeaseContext = Pick<RunContext, 'kube' | 'clock' | 'places' | 'identity' | 'signal' | 'stateOf'>;

/** Under the Lease of this place, with nobody at work in another. */
export async function underLease<R>(
  context: LeaseContext,
  namespace: string,
  work: (lease: HeldLease) => Promise<R>,
): Promise<R | { refused: Refusal & { kind: 'held' } }> {
  const { kube, clock, places, identity, signal, stateOf = processState } = context;
  // The same installation carries on at once when its old process is dead.
  const isDead = async (holder: string) => {
    const [install, process] = holder.split('/');
    return install === identity.install && process !== undefined && (await stateOf(process)) === 'dead';
  };
  const asked = { kube, clock, identity, signal, isDead };
  const lease = await acquireLease({ ...asked, namespace, patienceMs: leaseTimes.durationMs + 1_000 });
  if ('kind' in lease) return { refused: await held(context, lease.holder) };
  try {
    for (const place of places.filter((one) => one !== namespace)) {
      const other = await livingHolder({ ...asked, namespace: place });
      if (other) return { refused: await held(context, other.holder) };
    }
    return await work(lease);
  } finally {
    await lease.release();
  }
}

async function held({ kube, places }: LeaseContext, holder: string): Promise<Refusal & { kind: 'held' }> {
  return { kind: 'held', holder, run: await runningRun(kube, places) };
}

async function runningRun(kube: Kube, places: JournalPlaces): Promise<string | null> {
  try {
    return (await listRuns(kube, places)).find((run) => run.state.kind === 'running')?.run ?? null;
  } catch (error) {
    if (isKubeError(error)) return null;
    throw error;
  }
}

function execute(
  context: PlacedRun,
  lease: HeldLease,
  journal: Awaited<ReturnType<typeof createJournal>>,
): Promise<RunOutcome> {
  const { kube, clock, namespace, identity, control, manifests, signal, onEvent, random } = context;
  const { run } = journal.current();
  let counter = 0;
  const emit: Emit = (body) =>
    onEvent({
      ...body,
      id: lease.transitions * 1e7 + counter++,
      at: new Date(clock.now()).toISOString(),
      run,
    } as RunEvent);
  return executeRun({
    kube,
    clock,
    journal,
    journalNamespace: namespace,
    lease,
    holder: holderIdentity(identity),
    control,
    manifests,
    emit,
    random,
    signal,
  });
}

/** `20261121-0637-3f9c`: sorts by time, fits a label and an object's name. */
function newRunId(startedAt: string): string {
  return `${startedAt.slice(0, 10).replaceAll('-', '')}-${startedAt.slice(11, 16).replace(':', '')}-${randomBytes(2).toString('hex')}`;
}

/** A run as it lies in the cluster: evidence, whoever wrote it. Rejects with `not-found`. */
export async function readRun(
  kube: Kube,
  places: JournalPlaces,
  run: string,
): Promise<{ plan: Plan; journal: Journal }> {
  const found = await readJournal(kube, await placeOfRun(kube, places, run), run);
  if (!found) throw new KubeError('not-found', `There is no run ${JSON.stringify(run)} on this cluster.`);
  return { plan: found.plan, journal: found.journal };
}

export type ReadRun = { plan: Plan; journal: Journal; provenance: Provenance };

/** The same as a face shows it: whose word it is, and the plan of a foreign one without its own words. Rejects with `not-found`. */
export async function readRunWithProvenance(
  kube: Kube,
  places: JournalPlaces,
  run: string,
  memory: RunMemory,
): Promise<ReadRun> {
  const opened = await openJournal(kube, await placeOfRun(kube, places, run), run, memory);
  if (!opened) throw new KubeError('not-found', `There is no run ${JSON.stringify(run)} on this cluster.`);
  const { plan, provenance } = opened;
  return { plan: provenance.kind === 'own' ? plan : inOwnWords(plan), journal: opened.current(), provenance };
}
