import { z } from 'zod';
import { type StepPlace, stepIds } from '#lib/console/wizard/index.ts';

/** An action's arguments are untrusted and must be parsed. */
export const placeSchema = z.object({
  cluster: z.string().max(200),
  draft: z.string().max(200),
  step: z.enum(stepIds),
  from: z.literal('ready').optional(),
}) satisfies z.ZodType<StepPlace>;
