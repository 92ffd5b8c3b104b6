import { z } from 'zod';

/** What an installation puts under a journal that it wrote: who it is, and an HMAC-SHA256 in hex. */
export const sealSchema = z.object({ install: z.string().max(64), mac: z.string().regex(/^[0-9a-f]{64}$/) });
export type Seal = z.infer<typeof sealSchema>;
