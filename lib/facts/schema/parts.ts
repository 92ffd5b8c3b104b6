import { z } from 'zod';
import { missingRuleSchema } from '#lib/spec/index.ts';

/** A value and where it was read: `kube-system/ConfigMap/kube-proxy`, `data['config.conf'].mode`, `ipvs`. Cluster-scoped objects have no namespace: `Installation/default`. */
export const evidenceSchema = z.object({ object: z.string(), path: z.string(), value: z.unknown() });
export type Evidence = z.infer<typeof evidenceSchema>;

/** An object that a finding or fact is about. `detail`: what was read there, as a phrase. `missing`: the cluster has no such object yet. */
export const subjectSchema = z.object({
  kind: z.string(),
  namespace: z.string().nullable(),
  name: z.string(),
  detail: z.string(),
  missing: z.literal(true).exactOptional(),
});
export type Subject = z.infer<typeof subjectSchema>;

/** An object as it was read, without managedFields. Values that look like secrets are masked. */
export const readObjectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string().optional(),
    generation: z.number().optional(),
    creationTimestamp: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});
export type ReadObject = z.infer<typeof readObjectSchema>;

/** A workload or pod with one of its images. `version`: by the image's tag; null: the tag is no version. */
export const versionedSchema = z.object({ subject: subjectSchema, image: z.string(), version: z.string().nullable() });

export const hostPort = z.object({ host: z.string(), port: z.string() });

/** Whether a fact was read whole, and the kinds that are missing: refused, not served or not in the dump. */
export const coverageSchema = z.object({
  covered: z.boolean(),
  missing: z.array(
    z.object({
      kind: z.string(),
      because: z.string(),
      rule: missingRuleSchema.optional(),
      /** The kind was left out because the goal does not need it; nothing was refused. */
      notAsked: z.literal(true).optional(),
    }),
  ),
});
export type Coverage = z.infer<typeof coverageSchema>;
