import { z } from 'zod';

export const missingRuleSchema = z.object({
  verb: z.string(),
  group: z.string(),
  resource: z.string(),
  subresource: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
});

/** One permission, as RBAC names it: `group` is empty for the core group; without `namespace` in all of them, without `name` for all objects. */
export type MissingRule = z.infer<typeof missingRuleSchema>;
