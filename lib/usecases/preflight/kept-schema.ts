import { z } from 'zod';
import { measurementSchema } from '#lib/facts/index.ts';

/** A test of the nodes as the state folder keeps it. */
export const keptSchema = measurementSchema.extend({
  /** Milliseconds since the epoch: the last test. */
  at: z.number(),
  /** When each node was tested. Absent: all at once, at `at`. */
  times: z.record(z.string(), z.number()).optional(),
  /** Digest of the script that measured. Results of another script mean something else. */
  script: z.string(),
  settings: z.object({ vxlanPort: z.number(), cgroupFolder: z.string(), interfacePattern: z.string().nullable() }),
  /** The image in which the nodes tested, so it is on them. Absent in files of earlier versions. */
  image: z.string().max(1_024).optional(),
  /** The address of each node to which its partners sent. */
  addresses: z.record(z.string(), z.string().nullable()),
  /** The IPv6 address of each node, if its partners sent to these too. */
  addressesV6: z.record(z.string(), z.string().nullable()).optional(),
  /** Boot id by node. */
  boots: z.record(z.string(), z.string()),
});
export type KeptMeasurement = z.infer<typeof keptSchema>;
