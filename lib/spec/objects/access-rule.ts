import { z } from 'zod';

export const missingRuleSchema = z.object({
  verb: z.string(),
  group: z.string(),
  resource: z.string(),
  subresource: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
});

/** A permission of RBAC. `group` is empty for the core group; without `namespace` it applies to all namespaces, without `name` to all objects. */
export type MissingRule = z.infer<typeof missingRuleSchema>;
