import { z } from 'zod';
import type { ChangesOfRun } from './changes-in-history.ts';

const span = z.object({ since: z.number(), until: z.number() });
/** Parses changes that another Signalbox process has written. */
export const changesSchema: z.ZodType<ChangesOfRun> = z.object({
  pairs: z.array(
    z.object({
      state: z.enum(['denied', 'silent']),
      from: z.string(),
      to: z.string(),
      protocol: z.string(),
      port: z.number(),
      connections: z.number(),
      seen: z.number(),
      why: z.string(),
      query: z.string(),
    }),
  ),
  talked: z.number(),
  untold: z.number(),
  before: span,
  since: span,
  secondsBefore: z.number(),
  secondsSince: z.number(),
  isCut: z.boolean(),
});
