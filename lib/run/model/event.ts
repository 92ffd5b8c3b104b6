import { z } from 'zod';
import { evidenceSchema, subjectSchema } from '#lib/facts/schema.ts';
import { servicesSchema } from '../services/services.ts';
import { pauseChoiceSchema, runStateSchema, stepKeySchema } from './journal.ts';

/** The state of a node on its way. `proven` names the data plane that was seen; `refused`: the agent itself refused. */
const nodeStateSchema = z.object({
  name: z.string(),
  state: z.enum(['waiting', 'restarting', 'proven', 'refused', 'unknown', 'not-counted']),
  dataplane: z.enum(['bpf', 'standard']).nullable(),
  detail: z.string(),
  /** *upgrade*: the release of its agent, `v3.31.4`; absent if no release changes or its image does not say. */
  version: z.string().exactOptional(),
  evidence: z.array(evidenceSchema),
});
export type NodeState = z.infer<typeof nodeStateSchema>;

const operationStateSchema = z.enum(['begun', 'acted', 'waiting', 'finished', 'failed']);
export type OperationState = z.infer<typeof operationStateSchema>;

const operationLineSchema = z.object({
  seq: z.number().int(),
  id: z.string(),
  title: z.string(),
  effect: z.string(),
  state: z.enum(['ahead', 'already-done', 'begun', 'finished', 'undone', 'undoing', 'failed']),
});
export type OperationLine = z.infer<typeof operationLineSchema>;

const bodies = [
  z.object({
    event: z.literal('snapshot'),
    data: z.object({
      role: z.enum(['holder', 'follower']),
      cluster: z.string(),
      goal: z.string(),
      state: runStateSchema,
      operations: z.array(operationLineSchema),
    }),
  }),
  z.object({
    event: z.literal('operation'),
    data: stepKeySchema.extend({
      id: z.string(),
      title: z.string(),
      state: operationStateSchema,
      awaiting: z.string().nullable(),
      heldUpBy: z.array(subjectSchema),
      usualSeconds: z.number(),
      deadlineAt: z.string().nullable(),
      note: z.string().nullable(),
      /** Of a finished step: its effect was seen, stayed unknown, or was accepted without being seen. */
      outcome: z.enum(['met', 'unknown', 'acknowledged']).nullable(),
    }),
  }),
  z.object({ event: z.literal('node'), data: nodeStateSchema }),
  z.object({
    event: z.literal('condition'),
    data: z.object({ object: z.string(), type: z.string(), status: z.string(), message: z.string().nullable() }),
  }),
  /** How Services have answered on each node so far. */
  z.object({ event: z.literal('services'), data: servicesSchema }),
  z.object({ event: z.literal('log'), data: z.object({ message: z.string() }) }),
  z.object({
    event: z.literal('problem'),
    data: z.object({
      code: z.string(),
      message: z.string(),
      subjects: z.array(subjectSchema),
      choices: z.array(pauseChoiceSchema),
    }),
  }),
  z.object({ event: z.literal('heartbeat'), data: z.object({}) }),
] as const;

const eventBodySchema = z.discriminatedUnion('event', [...bodies]);
export type EventBody = z.infer<typeof eventBodySchema>;

/** cli.md › apply/status --watch; architecture.md › Streams. `id` grows across restarts: leaseTransitions × 10⁷ + counter. */
export const runEventSchema = z.intersection(
  z.object({ id: z.number().int(), at: z.string(), run: z.string() }),
  eventBodySchema,
);
export type RunEvent = z.infer<typeof runEventSchema>;

/** Receives events in order; must not throw. */
export type Emit = (event: EventBody) => void;
