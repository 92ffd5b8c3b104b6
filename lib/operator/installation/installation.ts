import { z } from 'zod';
import { type InstallationSpec, installationSpec, type Problem, problem } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';

export const condition = z.looseObject({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
  observedGeneration: z.int().optional(),
  lastTransitionTime: z.string().optional(),
});
export type Condition = z.infer<typeof condition>;

export const installationStatus = z.looseObject({
  variant: z.string().optional(),
  calicoVersion: z.string().optional(),
  computed: z.looseObject({}).optional(),
  conditions: z.array(condition).optional(),
});

/** The Installation's spec. `problem` names the field that breaks the API's promise; a CRD normally keeps such objects out. */
export function parseSpec(installation: KubeObject): { spec: InstallationSpec } | { problem: Problem } {
  const parsed = installationSpec.safeParse(installation.spec ?? {});
  if (parsed.success) return { spec: parsed.data };
  const issue = parsed.error.issues[0];
  return { problem: problem(`spec.${issue?.path.join('.') ?? ''}`, issue?.message ?? 'cannot be read') };
}
