import { z } from 'zod';
import { sha256Hex } from '#lib/base/sha256.ts';

/** The fields of a run's buttons. The host checks the request and the confirmation. */
export const requestSchema = z.object({
  cluster: z.string().min(1).max(200),
  run: z.string().min(1).max(100),
  action: z.enum(['pause', 'resume', 'stop', 'undo', 'take-over']),
  revision: z.coerce.number().nonnegative(),
  acknowledge: z.string().trim().min(1, 'Give a reason. It is recorded with the run.').max(1000).optional(),
  confirmation: z.string().trim().max(500).optional(),
});

/** The fields of the form on the page of an examined foreign run. */
export const takeUpSchema = z.object({
  cluster: z.string().min(1).max(200),
  run: z.string().min(1).max(100),
  how: z.enum(['resume', 'undo']),
  digest: z.string().regex(sha256Hex),
  confirmation: z.string().trim().max(500),
});
