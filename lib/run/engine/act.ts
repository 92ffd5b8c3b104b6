import { isKubeError, type Moment, momentOf, msSince } from '#lib/kube/index.ts';
import type { Act, Condition } from '#lib/plan/index.ts';
import { adoptFields } from '../acts/adopt-fields.ts';
import { HelmMissing } from '../acts/helm-program.ts';
import { madeByRun } from '../acts/made-by-run.ts';
import { type ApplyAct, actsOfManifest, ManifestMissing } from '../acts/manifest-acts.ts';
import { changeOwners, type OwnersAct, ownerKinds } from '../acts/owner-references.ts';
import { deletions, isPerformed, isWriting, perform, type WritingAct } from '../acts/perform.ts';
import { helmLine } from '../acts/run-helm.ts';
import { withoutFieldsOfOthers } from '../acts/whose-fields.ts';
import { broughtBack } from '../conditions/owner-references.ts';
import { wasPausedFor } from '../model/history.ts';
import { partsFinished } from '../model/journal.ts';
import type { Step } from '../model/steps.ts';
import type { CarriedRun } from './carried-run.ts';
import type { Next } from './decision.ts';
import { waitFor } from './wait.ts';

/**
 * How long the proof of one part counts for the next. A part that is written later than this, after a pause, an outage of the API server or a sleep of this
 * machine, waits for the proof once more.
 */
const proofHoldsMs = 10_000;

/** Looks again right before each attempt to write. Not null: the run does that instead of writing. */
type Before = () => Promise<Next | null>;

/** Performs an act. Returns null once it is performed, else what the run does instead. Each part of a sequence is awaited before the next begins. */
export async function performAct(run: CarriedRun, step: Step, act: Act, before?: Before): Promise<Next | null> {
  if (act.kind === 'instruct') run.events.log(act.text);
  if (act.kind === 'sequence') return performParts(run, step, act.steps);
  if (act.kind === 'apply-manifest') return performFile(run, step, act);
  if (act.kind === 'delete-all') return performEach(run, step, deletions(act), before);
  if (act.kind === 'remove-owner-references' || act.kind === 'restore-owner-references')
    return performOwners(run, step, act, before);
  if (act.kind === 'create') return performCreation(run, act, before);
  if (act.kind === 'delete' && act.made !== undefined) return performDeletionOfCreated(run, act, act.made);
  if (act.kind === 'adopt-fields') return performAdoption(run, act, before);
  if (!isWriting(act)) return null;
  return attempt(run, async (stillHolds) => {
    const { act: ownAct, left } =
      act.kind === 'merge-patch' ? await withoutFieldsOfOthers(run.o.kube, act) : { act, left: [] };
    for (const line of left) run.events.log(line);
    if (ownAct === null || (await isPerformed(run.o.kube, ownAct))) return null;
    const ending = await before?.();
    if (ending) return ending;
    stillHolds();
    try {
      // A helm that is killed would leave its release unfinished.
      await perform(run.o.kube, ownAct, 'act', act.kind === 'helm' ? undefined : run.o.lease.lost);
    } catch (error) {
      if (!(error instanceof HelmMissing) || act.kind !== 'helm') throw error;
      run.events.log(`${error.message} Run this yourself, the run looks for its effect: \`${helmLine(act)}\``);
    }
    return null;
  });
}

/** Creates an object. If this run has created it already, nothing is written. If somebody else has, the server refuses and the run pauses. */
function performCreation(
  run: CarriedRun,
  act: Extract<Act, { kind: 'create' }>,
  before?: Before,
): Promise<Next | null> {
  const { kube, journal, lease } = run.o;
  return attempt(run, async (stillHolds) => {
    const there = await kube.get(act.target);
    const made = madeByRun(there, act, journal.current());
    if (there !== null && made !== 'of-others') {
      run.hasMade(act.target, there);
      return null;
    }
    const ending = await before?.();
    if (ending) return ending;
    stillHolds();
    const created = await perform(kube, act, 'act', lease.lost, journal.current().run);
    if (created !== null) run.hasMade(act.target, created);
    return null;
  });
}

/**
 * Deletes an object that this run created. The delete names the UID and version that were just read, so that an object of somebody else, or one that
 * was changed since, stays.
 */
function performDeletionOfCreated(
  run: CarriedRun,
  { target, propagation }: Extract<Act, { kind: 'delete' }>,
  body: Record<string, unknown>,
): Promise<Next | null> {
  const { kube, journal, lease } = run.o;
  return attempt(run, async (stillHolds) => {
    const found = await kube.get(target);
    const made = madeByRun(found, { target, body }, journal.current());
    if (made !== 'as-made' || found?.metadata.deletionTimestamp !== undefined) return null;
    const { uid, resourceVersion } = found?.metadata ?? {};
    stillHolds();
    try {
      await kube.delete(target, {
        propagation,
        signal: lease.lost,
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      });
    } catch (error) {
      if (!isKubeError(error, 'not-found')) throw error;
    }
    return null;
  });
}

/** Reading took so long that the Lease must be renewed before the write. */
class LeaseTooOld extends Error {}

/** Called right before a write, as reading may have taken longer than the Lease holds. Throws what `attempt` waits for. */
type StillHolds = () => void;

/** Reading and writing count as one attempt. Otherwise a cluster whose reads work and whose writes fail would be reported as back after each read. */
async function attempt(run: CarriedRun, work: (stillHolds: StillHolds) => Promise<Next | null>): Promise<Next | null> {
  const stillHolds = () => {
    if (!run.o.lease.mayAct()) throw new LeaseTooOld();
  };
  for (let tries = 0; ; tries++) {
    if (!(await run.retry.mayAct())) return run.decide({ saw: 'call', call: run.interruption() });
    try {
      return await run.retry.once(() => work(stillHolds));
    } catch (error) {
      if (error instanceof LeaseTooOld) continue;
      const next = run.decide({ saw: 'act-failed', error });
      if (next.do === 'throw') throw next.error;
      if (next.do !== 'retry') return next;
      await run.retry.backOff(next.error, tries);
    }
  }
}

/** Waits for the condition of a step, or of one part of it. `finish` means that the condition is met or was accepted. */
export function awaitEffect(run: CarriedRun, step: Step, done: Condition): Promise<Next> {
  return waitFor(run, step, done, async ({ because, act }) => {
    await run.write([{ what: 'nudged', at: run.now(), seq: step.key.seq, because }]);
    run.events.log(because);
    return performAct(run, step, act);
  });
}

/** Applies a file object by object. Objects that are already there are skipped, so that a file that was half applied is completed. */
async function performFile(
  run: CarriedRun,
  step: Step,
  act: Extract<Act, { kind: 'apply-manifest' }>,
): Promise<Next | null> {
  const { journal, manifests, signal } = run.o;
  let acts: ApplyAct[];
  try {
    acts = await actsOfManifest(act, manifests, { choices: journal.plan.choices, signal });
  } catch (error) {
    if (!(error instanceof ManifestMissing)) throw error;
    return run.decide({ saw: 'file-missing', because: error.message });
  }
  return performEach(run, step, acts);
}

/**
 * Changes owner references object by object. References that somebody put back are removed again only after a pause has shown them to the user: their writer
 * would put them back once more.
 */
async function performOwners(run: CarriedRun, step: Step, act: OwnersAct, before?: Before): Promise<Next | null> {
  const { kube, journal } = run.o;
  if (act.kind === 'remove-owner-references' && act.when === 'once-paused') {
    if (!wasPausedFor(journal.current(), step.key, broughtBack)) return null;
  }
  const kinds = await run.retry.until(() => ownerKinds(kube));
  for (const dependant of act.dependants) {
    const ending = await attempt(run, async () => {
      const instead = await before?.();
      if (!instead) await changeOwners(kube, act, dependant, kinds);
      return instead ?? null;
    });
    if (ending) return ending;
  }
  return null;
}

/** Takes over fields object by object. Fields that are ours already stay as they are. */
async function performAdoption(
  run: CarriedRun,
  { targets }: Extract<Act, { kind: 'adopt-fields' }>,
  before?: Before,
): Promise<Next | null> {
  for (const target of targets) {
    const ending = await attempt(run, async () => {
      const instead = await before?.();
      if (!instead) await adoptFields(run.o.kube, target);
      return instead ?? null;
    });
    if (ending) return ending;
  }
  return null;
}

async function performEach(
  run: CarriedRun,
  step: Step,
  acts: readonly WritingAct[],
  before?: Before,
): Promise<Next | null> {
  for (const one of acts) {
    const ending = await performAct(run, step, one, before);
    if (ending) return ending;
  }
  return null;
}

/**
 * Performs the parts of a sequence in order. Parts that the journal has as finished are not checked again, because a later part may have reversed
 * them. Other parts are skipped if their effect is already there.
 */
async function performParts(
  run: CarriedRun,
  step: Step,
  parts: readonly { act: Act; done: Condition }[],
): Promise<Next | null> {
  const { clock, journal } = run.o;
  let seenAt: Moment | null = null;
  for (const [part, { act, done }] of parts.entries()) {
    if (part < partsFinished(journal.current(), step.key)) continue;
    const proof = parts[part - 1];
    const stillProven = async (): Promise<Next | null> => {
      if (proof?.act.kind !== 'wait' || (seenAt !== null && msSince(clock, seenAt) < proofHoldsMs)) return null;
      const again = await awaitEffect(run, step, proof.done);
      seenAt = momentOf(clock);
      return again.do === 'finish' ? null : again;
    };
    if ((await run.look(done)).kind !== 'met') {
      const ending = await performAct(run, step, act, stillProven);
      if (ending) return ending;
      const waited = await awaitEffect(run, step, done);
      if (waited.do !== 'finish') return waited;
    }
    seenAt = momentOf(clock);
    await run.write([{ what: 'part', ...step.key, part, at: run.now() }]);
  }
  return null;
}
