import { z } from 'zod';
import { shownPlanSchema } from '#components/review/shown-plan.ts';

/** The fields of the start form. Ids and names are only looked up and never part of a path; the host checks the confirmation. */
export const startSchema = z.object({
  cluster: z.string().min(1).max(200),
  draft: z.string().min(1).max(200),
  revision: z.coerce.number().int().nonnegative(),
  planHash: z.string().max(200),
  confirmation: z.string().max(500).nullable(),
  shown: z
    .string()
    .max(100_000)
    .transform((text, context) => {
      try {
        return shownPlanSchema.parse(JSON.parse(text));
      } catch {
        context.addIssue({ code: 'custom', message: 'The request does not match the page.' });
        return z.NEVER;
      }
    }),
});
