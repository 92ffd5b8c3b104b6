import { z } from 'zod';
import { changesSchema } from '#lib/flows/changes/changes-schema.ts';
import { flowSchema } from '#lib/flows/flow-schema.ts';

/**
 * A request of this machine's command line to the running console, over a socket in a folder that only its user can enter: one line of JSON, answered by one
 * line. The receiver parses `plan` and `cluster`.
 */
export const questionSchema = z.discriminatedUnion('ask', [
  z.strictObject({ ask: z.literal('link') }),
  z.strictObject({ ask: z.literal('status') }),
  z.strictObject({ ask: z.literal('apply'), plan: z.unknown(), cluster: z.unknown() }),
  z.strictObject({
    ask: z.literal('flows'),
    cluster: z.unknown(),
    query: z.string(),
    uid: z.string().nullable().optional(),
  }),
  z.strictObject({ ask: z.literal('traffic'), cluster: z.unknown(), run: z.string(), uid: z.string().nullable() }),
]);
export type Question = z.infer<typeof questionSchema>;

/**
 * A request to open and serve a sandbox. It stays open at least as long as this connection, and is served until the console closes it. Nothing more is sent on
 * the connection, which ends when the console closes the sandbox.
 */
export const sandboxQuestionSchema = z.strictObject({ ask: z.literal('sandbox'), name: z.string() });
export type SandboxQuestion = z.infer<typeof sandboxQuestionSchema>;

const failureSchema = z.object({ ok: z.literal(false), code: z.string(), message: z.string() });

/** `kubeconfig`: path of a kubeconfig for the served sandbox. */
export const sandboxReplySchema = z.union([z.object({ ok: z.literal(true), kubeconfig: z.string() }), failureSchema]);
export const linkReplySchema = z.union([
  z.object({ ok: z.literal(true), link: z.string(), build: z.string() }),
  failureSchema,
]);
export const statusReplySchema = z.union([
  z.object({ ok: z.literal(true), pid: z.int(), port: z.int(), since: z.string(), log: z.string() }),
  failureSchema,
]);
export const applyReplySchema = z.union([
  z.object({ ok: z.literal(true), cluster: z.string(), run: z.string() }),
  failureSchema,
]);

/** Flows of the history. `since`: start of the oldest kept flow, in seconds; `until`: end of the newest, absent from earlier consoles; `isCut`: there are more. */
export const flowsReplySchema = z.union([
  z.object({
    ok: z.literal(true),
    flows: z.array(flowSchema).readonly(),
    isCut: z.boolean(),
    since: z.number().nullable(),
    until: z.number().nullable().optional(),
    note: z.string().nullable(),
  }),
  failureSchema,
]);

/** Changes of traffic since a run; null if nothing is known. */
export const trafficReplySchema = z.union([
  z.object({ ok: z.literal(true), traffic: changesSchema.nullable() }),
  failureSchema,
]);

export type Replies = {
  link: z.infer<typeof linkReplySchema>;
  status: z.infer<typeof statusReplySchema>;
  apply: z.infer<typeof applyReplySchema>;
  flows: z.infer<typeof flowsReplySchema>;
  traffic: z.infer<typeof trafficReplySchema>;
};

/** Limit of a line; a plan for 5,000 nodes has some hundred KiB. */
export const longestLineBytes = 16 * 1024 * 1024;
