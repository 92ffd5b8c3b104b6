import { z } from 'zod';
import { sha256Hex } from '#lib/base/sha256.ts';
import { type Subject, subjectSchema } from '#lib/facts/schema.ts';
import type { WayOfUpgrade } from '#lib/plan/index.ts';
import { servicesSchema } from '../services/services.ts';
import { seenSchema } from './seen-schema.ts';

/**
 * The journal of a run: what was begun, done and finished, and by whom. Pure data; `journal-store.ts` stores it in the cluster. It alone decides
 * recovery: finished steps are never checked again, a begun one is checked by its postcondition (operations.md › The journal and recovery).
 */

/** `forward`: seq of the plan's operation. `undo`: seq of the operation that the step undoes. */
export const stepKeySchema = z.object({ direction: z.enum(['forward', 'undo']), seq: z.number().int() });
export type StepKey = z.infer<typeof stepKeySchema>;

/** The choices that a paused run offers its user (operations.md › Waits). */
export const pauseChoiceSchema = z.enum(['keep-waiting', 'acknowledge', 'undo', 'stop', 'resume', 'take-over']);
export type PauseChoice = z.infer<typeof pauseChoiceSchema>;

export const runStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running'), direction: z.enum(['forward', 'undo']) }),
  z.object({
    kind: z.literal('paused'),
    direction: z.enum(['forward', 'undo']),
    seq: z.number().int(),
    /** Id of the paused step's operation. */
    id: z.string(),
    code: z.string(),
    because: z.string(),
    /** The process that requested the pause. Absent before 0.2. */
    by: z.string().exactOptional(),
    /** What is half done and what that means for the cluster. */
    meaning: z.string(),
    subjects: z.array(subjectSchema),
    choices: z.array(pauseChoiceSchema),
  }),
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('undone') }),
  z.object({ kind: z.literal('stopped'), remains: z.array(z.string()) }),
  z.object({ kind: z.literal('failed'), because: z.string() }),
]);
export type RunState = z.infer<typeof runStateSchema>;

const entrySchema = z.discriminatedUnion('what', [
  stepKeySchema.extend({ what: z.literal('begun'), at: z.string(), by: z.string() }),
  /** `made`: UIDs, by objectId, of what it created, so that its undo deletes nothing of others. */
  stepKeySchema.extend({
    what: z.literal('acted'),
    at: z.string(),
    made: z.record(z.string(), z.string()).exactOptional(),
  }),
  /** A part of a sequence has finished; counted from 0. A later part may rightly reverse it, so only the journal can tell. */
  stepKeySchema.extend({ what: z.literal('part'), part: z.number().int(), at: z.string() }),
  stepKeySchema.extend({
    what: z.literal('finished'),
    at: z.string(),
    outcome: z.enum(['met', 'unknown', 'acknowledged']),
    note: z.string().nullable(),
    seen: seenSchema.exactOptional(),
  }),
  z.object({
    what: z.literal('paused'),
    at: z.string(),
    code: z.string(),
    because: z.string(),
    by: z.string().exactOptional(),
    seen: seenSchema.exactOptional(),
  }),
  z.object({ what: z.literal('resumed'), at: z.string(), by: z.string() }),
  z.object({ what: z.literal('taken-over'), at: z.string(), by: z.string(), from: z.string() }),
  z.object({ what: z.literal('undo-asked'), at: z.string(), by: z.string() }),
  /** An accepted finding at the start, or an accepted doubt of a step. Before 0.2 without the process, and without findings. */
  z.object({
    what: z.literal('acknowledged'),
    at: z.string(),
    id: z.string(),
    reason: z.string(),
    by: z.string().exactOptional(),
  }),
  z.object({ what: z.literal('request'), at: z.string(), request: z.string(), answer: z.string() }),
  z.object({ what: z.literal('nudged'), at: z.string(), seq: z.number().int(), because: z.string() }),
  z.object({ what: z.literal('ended'), at: z.string(), state: z.string(), seen: seenSchema.exactOptional() }),
]);
export type Entry = z.infer<typeof entrySchema>;

/** An accepted doubt: valid for this step only, and only while it concerns no other subjects than those shown then. */
const acceptedSchema = stepKeySchema.extend({ reason: z.string(), subjects: z.array(z.string()) });
export type Accepted = z.infer<typeof acceptedSchema>;

/** Identifies a subject without its detail, which changes between two looks. */
export function subjectKey({ kind, namespace, name }: Subject): string {
  return `${namespace ?? ''}/${kind}/${name}`;
}

/** The recorded reason if this doubt was accepted, else null. */
export function acceptedReason(journal: Journal, key: StepKey, subjects: readonly Subject[]): string | null {
  const found = journal.accepted.findLast(
    (one) =>
      one.direction === key.direction &&
      one.seq === key.seq &&
      subjects.every((subject) => one.subjects.includes(subjectKey(subject))),
  );
  return found?.reason ?? null;
}

/** The seal of an installation under its journal: the installation, and an HMAC-SHA256 in hex. */
const sealSchema = z.object({ install: z.string().max(64), mac: z.string().regex(sha256Hex) });
export type Seal = z.infer<typeof sealSchema>;

/** A release. Too short for a sentence, because it becomes part of titles. */
const releaseSchema = z.string().regex(/^v?\d[\w.+-]{0,40}$/);

/** The releases of an upgrade, as in its plan. */
const upgradeSchema = z.object({
  from: releaseSchema.nullable(),
  to: releaseSchema,
  hops: z.number().int().min(1).max(99),
}) satisfies z.ZodType<WayOfUpgrade>;

/** Whether text can be a release's name: `v3.31.4`. */
export const isReleaseName = (text: string): boolean => releaseSchema.safeParse(text).success;

/** In the form that a journal may contain; null if it could not be read again, or the plan upgrades nothing. */
export function journalledWay(way: WayOfUpgrade | null): WayOfUpgrade | null {
  return upgradeSchema.safeParse(way).data ?? null;
}

export const journalSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('Journal'),
  run: z.string(),
  goal: z.string(),
  /** The releases of an upgrade; absent before 0.2. Only shown, so a run stays readable if this is not. */
  upgrade: upgradeSchema.optional().catch(undefined),
  cluster: z.string(),
  planHash: z.string(),
  startedAt: z.string(),
  startedBy: z.string(),
  state: runStateSchema,
  accepted: z.array(acceptedSchema),
  entries: z.array(entrySchema),
  /** How Services answered while traffic was changed, if the run asked them. */
  services: servicesSchema.exactOptional(),
  /** Proves whose journal this is (memory/seal.ts). Absent before 0.2. */
  seal: sealSchema.exactOptional(),
});
export type Journal = z.infer<typeof journalSchema>;

export type Phase = 'ahead' | 'begun' | 'acted' | 'finished';

/** How far a step has come. A forward step is never begun again after its undo: a run is undone once. */
export function phaseOf(journal: Journal, key: StepKey): Phase {
  let phase: Phase = 'ahead';
  for (const entry of journal.entries) {
    if (
      (entry.what === 'begun' || entry.what === 'acted' || entry.what === 'finished') &&
      entry.direction === key.direction &&
      entry.seq === key.seq
    ) {
      phase = entry.what;
    }
  }
  return phase;
}

/** Number of finished parts of a step's sequence: parts are carried out in order. */
export function partsFinished(journal: Journal, key: StepKey): number {
  const own = journal.entries.filter(
    (entry) => entry.what === 'part' && entry.direction === key.direction && entry.seq === key.seq,
  );
  return own.length;
}

/** The finished forward operations, and the one that was begun and not finished: the input of `planUndo`. */
export function forwardProgress(journal: Journal): { finished: number[]; begun: number | null } {
  const begun = new Set<number>();
  const finished = new Set<number>();
  for (const entry of journal.entries) {
    if (!('direction' in entry) || entry.direction !== 'forward') continue;
    if (entry.what === 'begun') begun.add(entry.seq);
    if (entry.what === 'finished') finished.add(entry.seq);
  }
  const open = [...begun].filter((seq) => !finished.has(seq));
  return { finished: [...finished], begun: open.at(-1) ?? null };
}

/** The UID of the object that an act created under this objectId; undefined if the journal has none. */
export function madeUid({ entries }: Pick<Journal, 'entries'>, object: string): string | undefined {
  const uids = entries.map((entry) => (entry.what === 'acted' ? entry.made?.[object] : undefined));
  return uids.findLast((uid) => uid !== undefined);
}

/** The direction in which the run goes, or went last. */
export function directionOf(journal: Journal): 'forward' | 'undo' {
  return journal.entries.some((entry) => entry.what === 'undo-asked') ? 'undo' : 'forward';
}
