import { z } from 'zod';

/** What a button of a run's page sends. The host judges what may be asked, and the confirmation. */
export const requestSchema = z.object({
  cluster: z.string().min(1).max(200),
  run: z.string().min(1).max(100),
  action: z.enum(['pause', 'resume', 'stop', 'undo', 'take-over']),
  revision: z.coerce.number().nonnegative(),
  acknowledge: z.string().trim().min(1, 'Give a reason. It is recorded with the run.').max(1000).optional(),
  confirmation: z.string().trim().max(500).optional(),
});

/** What the page of a foreign run sends once it was looked through. */
export const takeUpSchema = z.object({
  cluster: z.string().min(1).max(200),
  run: z.string().min(1).max(100),
  how: z.enum(['resume', 'undo']),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  confirmation: z.string().trim().max(500),
});
