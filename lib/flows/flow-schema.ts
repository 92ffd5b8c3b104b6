import { z } from 'zod';
import { endKinds, type Flow, policyKinds, verdicts } from './flow.ts';

const end = z.object({
  kind: z.enum(endKinds),
  namespace: z.string().nullable(),
  name: z.string(),
  labels: z.array(z.string()),
});
const inOut = z.object({ in: z.number(), out: z.number() });
const plainHit = z.object({
  kind: z.enum(policyKinds),
  namespace: z.string().nullable(),
  name: z.string(),
  tier: z.string(),
  action: z.enum(verdicts).nullable(),
  policyIndex: z.number(),
  ruleIndex: z.number(),
});
const hits = z.array(plainHit.extend({ trigger: plainHit.nullable() }));

/** Parses a flow that another Signalbox process has written. */
export const flowSchema: z.ZodType<Flow> = z.object({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  verdict: z.enum(verdicts),
  reporter: z.enum(['source', 'destination']),
  from: end,
  to: end,
  protocol: z.string(),
  port: z.number(),
  service: z.object({ namespace: z.string().nullable(), name: z.string(), portName: z.string() }).nullable(),
  bytes: inOut,
  packets: inOut,
  connections: z.object({ started: z.number(), completed: z.number(), live: z.number() }),
  policies: z.object({ enforced: hits, pending: hits }),
});
