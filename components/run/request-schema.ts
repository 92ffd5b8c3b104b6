import { z } from 'zod';

/** What a button of a run's page sends. The host judges what may be asked, and the confirmation. */
export const requestSchema = z.object({
  cluster: z.string().min(1).max(200),
  run: z.string().min(1).max(100),
  action: z.enum(['pause', 'resume', 'stop', 'undo', 'take-over']),
  revision: z.coerce.number().nonnegative(),
  acknowledge: z
    .string()
    .trim()
    .min(1, 'Say why this may be so: the reason is recorded with the run.')
    .max(1000)
    .optional(),
  confirmation: z.string().trim().max(500).optional(),
});
