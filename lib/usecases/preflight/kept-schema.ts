import { z } from 'zod';
import { measurementSchema } from '#lib/facts/index.ts';

/** What is kept of a test of the nodes. */
export const keptSchema = measurementSchema.extend({
  /** Milliseconds since the epoch: the last test. */
  at: z.number(),
  /** By node, when it was tested; absent: all were at once. */
  times: z.record(z.string(), z.number()).optional(),
  /** The script that measured: what another one finds means something else. */
  script: z.string(),
  settings: z.object({ vxlanPort: z.number(), cgroupFolder: z.string(), interfacePattern: z.string().nullable() }),
  /** In which the nodes tested: it is on them. Absent: an earlier version kept this. */
  image: z.string().max(1_024).optional(),
  /** By node, the one that its partners sent to. */
  addresses: z.record(z.string(), z.string().nullable()),
  /** The same of IPv6, where they sent to these too. */
  addressesV6: z.record(z.string(), z.string().nullable()).optional(),
  /** Boot id by node. */
  boots: z.record(z.string(), z.string()),
});
export type KeptMeasurement = z.infer<typeof keptSchema>;
