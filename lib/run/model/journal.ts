import { z } from 'zod';
import { type Subject, subjectSchema } from '#lib/facts/schema.ts';
import type { WayOfUpgrade } from '#lib/plan/index.ts';
import { servicesSchema } from '../services/services.ts';
import { seenSchema } from './seen-schema.ts';

/**
 * The journal of a run: what was begun, acted and finished, and by whom. Pure data; `journal-store.ts` keeps it in the cluster.
 * It is the only truth for recovery: finished steps are never looked at again, a begun one is by its postcondition
 * (operations.md › The journal and recovery).
 */

/** `forward`: seq of the plan's operation. `undo`: seq of the operation that the step takes back. */
export const stepKeySchema = z.object({ direction: z.enum(['forward', 'undo']), seq: z.number().int() });
export type StepKey = z.infer<typeof stepKeySchema>;

/** A run's choices when it cannot go on by itself (operations.md › Waits). */
export const pauseChoiceSchema = z.enum(['keep-waiting', 'acknowledge', 'undo', 'stop', 'resume', 'take-over']);
export type PauseChoice = z.infer<typeof pauseChoiceSchema>;

export const runStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running'), direction: z.enum(['forward', 'undo']) }),
  z.object({
    kind: z.literal('paused'),
    direction: z.enum(['forward', 'undo']),
    seq: z.number().int(),
    /** The paused step's operation. */
    id: z.string(),
    code: z.string(),
    because: z.string(),
    /** Who asked for the pause. Versions before 0.2 did not write it. */
    by: z.string().exactOptional(),
    /** What is half-done and what that means, for whoever finds the cluster like this. */
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
  /** `made`: UIDs, by objectId, of what it has created, so that its undo takes nothing of anybody else. */
  stepKeySchema.extend({
    what: z.literal('acted'),
    at: z.string(),
    made: z.record(z.string(), z.string()).exactOptional(),
  }),
  /** One part of a sequence has finished; from 0. A later part may rightly reverse it, so that only the journal can tell. */
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
  /** A finding, before the run begins, or the doubt of a step. Versions before 0.2 did not write who, and no findings. */
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

/** A doubt that somebody accepted: for this step only, and only as long as it concerns no other subject than those shown then. */
const acceptedSchema = stepKeySchema.extend({ reason: z.string(), subjects: z.array(z.string()) });
export type Accepted = z.infer<typeof acceptedSchema>;

export function subjectKey({ kind, namespace, name }: Subject): string {
  return `${namespace ?? ''}/${kind}/${name}`;
}

/** The recorded reason when this doubt was accepted, or null. */
export function acceptedReason(journal: Journal, key: StepKey, subjects: readonly Subject[]): string | null {
  const found = journal.accepted.findLast(
    (one) =>
      one.direction === key.direction &&
      one.seq === key.seq &&
      subjects.every((subject) => one.subjects.includes(subjectKey(subject))),
  );
  return found?.reason ?? null;
}

/** What an installation puts under a journal that it wrote: who it is, and an HMAC-SHA256 in hex. */
const sealSchema = z.object({ install: z.string().max(64), mac: z.string().regex(/^[0-9a-f]{64}$/) });
export type Seal = z.infer<typeof sealSchema>;

/** A release, and room for no sentence: it becomes a part of titles. */
const releaseSchema = z.string().regex(/^v?\d[\w.+-]{0,40}$/);

/** Which way an upgrade goes, as its plan had it. */
const upgradeSchema = z.object({
  from: releaseSchema.nullable(),
  to: releaseSchema,
  hops: z.number().int().min(1).max(99),
}) satisfies z.ZodType<WayOfUpgrade>;

export const isReleaseName = (text: string): boolean => releaseSchema.safeParse(text).success;

/** As a journal may hold it; null where it would not be read again, or the plan upgrades nothing. */
export function journalledWay(way: WayOfUpgrade | null): WayOfUpgrade | null {
  return upgradeSchema.safeParse(way).data ?? null;
}

export const journalSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('Journal'),
  run: z.string(),
  goal: z.string(),
  /** Of an upgrade, which way. Versions before 0.2 did not write it. It is only shown: a run is not lost for it where it cannot be read. */
  upgrade: upgradeSchema.optional().catch(undefined),
  cluster: z.string(),
  planHash: z.string(),
  startedAt: z.string(),
  startedBy: z.string(),
  state: runStateSchema,
  accepted: z.array(acceptedSchema),
  entries: z.array(entrySchema),
  /** How services answered while traffic was changed, where a run asked them. */
  services: servicesSchema.exactOptional(),
  /** Whose word the rest is (memory/seal.ts). Journals of versions before 0.2 have none. */
  seal: sealSchema.exactOptional(),
});
export type Journal = z.infer<typeof journalSchema>;

export type Phase = 'ahead' | 'begun' | 'acted' | 'finished';

/** How far a step has come. A forward step that was undone and begun again does not occur: a run is undone once. */
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

/** How many parts of a step's sequence have finished: parts are carried out in order. */
export function partsFinished(journal: Journal, key: StepKey): number {
  const own = journal.entries.filter(
    (entry) => entry.what === 'part' && entry.direction === key.direction && entry.seq === key.seq,
  );
  return own.length;
}

/** Forward operations that have finished, and the one that was begun and has not. What `planUndo` needs. */
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

/** The UID of what an act has created under this objectId; undefined where the journal has none. */
export function madeUid({ entries }: Pick<Journal, 'entries'>, object: string): string | undefined {
  const uids = entries.map((entry) => (entry.what === 'acted' ? entry.made?.[object] : undefined));
  return uids.findLast((uid) => uid !== undefined);
}

/** Which way the run is going, or went last. */
export function directionOf(journal: Journal): 'forward' | 'undo' {
  return journal.entries.some((entry) => entry.what === 'undo-asked') ? 'undo' : 'forward';
}
