import { z } from 'zod';
import { findingsSchema } from '#lib/checks/index.ts';
import { choicesSchema, fileStandings, goals } from '#lib/spec/index.ts';
import type { Act } from './schema/act.ts';
import type { Condition } from './schema/condition.ts';
import { type Effect, plannedOperation } from './schema/planned-operation.ts';

/** The files from which a plan was made, and whether they are the published ones. For display only: the operations decide what is done. */
const plannedRelease = z.strictObject({
  version: z.string(),
  operator: z.string(),
  /** As a reader would name it. */
  source: z.string(),
  files: z.array(z.strictObject({ file: z.string(), sha256: z.string(), standing: z.enum(fileStandings) })),
  /** What to say about files that are not known to be published; null if all are. */
  notice: z.string().nullable(),
});

/** What a proof of nodes holds for. `release`: the one that agents run after the plan. `kernels`: nodes by kernel. Null: unknown. */
const madeUnder = z.strictObject({
  release: z.string().nullable(),
  cgroupFolder: z.string().nullable(),
  kernels: z.array(z.strictObject({ kernel: z.string(), nodes: z.array(z.string()) })),
});

/** `signalbox schema Plan`, the form of plan.json: a public contract. Strict, because the author of the file decides what is done to a cluster. */
export const planSchema = z.strictObject({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('Plan'),
  goal: z.enum(goals),
  /**
   * `sha256:…` over everything below except `findings`, `madeAt`, `madeUnder`, `release`, the diffs and how they were made: two plans that do the
   * same have the same hash.
   */
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'is not a hash of a plan'),
  cluster: z.string(),
  /** Warnings about the connection to this cluster (`Facts.cluster.warnings`); absent if there are none. Not part of the hash. */
  warnings: z.array(z.string()).exactOptional(),
  /** UID of kube-system: a saved plan is refused on another cluster. Null for dumps. */
  clusterUid: z.string().nullable(),
  madeAt: z.string(),
  choices: choicesSchema,
  operations: z
    .array(plannedOperation)
    .refine((all) => all.every(({ seq }, index) => seq === index + 1), 'are not numbered from 1 without a gap'),
  findings: findingsSchema,
  /** The release that the plan installs, if its files were published: not for a sandbox's own files, nor in plans of earlier versions. */
  release: plannedRelease.optional(),
  /** What the proof of its nodes holds for; absent in plans of earlier versions. Not part of the hash: it is only compared later. */
  madeUnder: madeUnder.optional(),
});
/** Facts + Choices → ordered operations (product.md › Nouns). Plain data: saved, reviewed, replayed. cli.md › plan. */
export type Plan = z.infer<typeof planSchema>;

/** One step of undoing a run, in the order of operations.md › journey 4. `undoes`: the seq of the operation that it reverses. */
export type UndoStep = {
  undoes: number;
  id: string;
  title: string;
  effect: Effect;
  act: Act;
  done: Condition;
  command: string;
  usualSeconds: number;
  deadlineSeconds: number;
};
