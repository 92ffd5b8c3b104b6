import { z } from 'zod';
import { missingRuleSchema } from '#lib/spec/index.ts';
import { endpointProbeSchema } from './endpoint.ts';
import { evidenceSchema, readObjectSchema } from './parts.ts';

const tigeraStatusSchema = z.object({
  name: z.string(),
  conditions: z.array(
    z.object({
      type: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      message: z.string().nullable(),
      since: z.string().nullable(),
      observedGeneration: z.number().nullable(),
    }),
  ),
});

const accessSchema = missingRuleSchema.extend({ allowed: z.boolean() });

/** A label, annotation or field manager by which another tool shows that it writes the object: `argocd.argoproj.io/tracking-id`, Flux' labels … */
const ownershipMarkSchema = z.object({
  object: z.string(),
  by: z.enum(['argocd', 'flux', 'fleet', 'addon-manager', 'gardener', 'kops', 'k0s', 'helm', 'other']),
  evidence: evidenceSchema,
  /** `acts`: the tool writes the object; `paused`: not at the moment; `hidden`: its settings are not on this cluster, or cannot be read. */
  state: z.enum(['acts', 'paused', 'hidden']),
  /** The object that makes the tool write, `argocd/Application/platform`; null: not read. */
  source: z.string().nullable(),
  /** Name of that object as the label or annotation has it, if it was not read. */
  sought: z.string().optional(),
  /** Fields that a switch changes and whose present value the tool has written: `spec.calicoNetwork.linuxDataplane`. */
  writes: z.array(z.string()),
});

/**
 * A field that a run of Signalbox set for its own duration (the cleanup flag) and left, because it ended early. `value`: what the run wrote; `before`: the
 * earlier value; null: the field was not set.
 */
const leftBehindSchema = z.object({
  object: z.string(),
  path: z.array(z.string()),
  value: z.unknown(),
  before: z.unknown(),
  run: z.string(),
  evidence: z.array(evidenceSchema),
});
export type LeftBehind = z.infer<typeof leftBehindSchema>;

const helmReleaseSchema = z.object({
  name: z.string(),
  namespace: z.string(),
  chart: z.string().nullable(),
  revision: z.number(),
  status: z.string(),
  /** The last revision before it that was deployed, if this one is unfinished or failed. Absent: there is none. */
  deployedBefore: z.number().optional(),
  /** Where Helm keeps the record. Absent: in Secrets, or unknown. */
  driver: z.literal('configmap').optional(),
  /**
   * `definitions`: it holds Calico's kinds and no operator, by its chart (definition-charts.ts), else by Helm's record, else by Helm's annotations.
   * `operator`: it holds the operator in a chart of another name than the operator's own. Absent: neither, or the operator's own chart.
   */
  holds: z.enum(['definitions', 'operator']).optional(),
  /** Values that people gave, with those masked that look like secrets; null: the record cannot be read. */
  values: z.record(z.string(), z.unknown()).nullable(),
});

/** A webhook with `failurePolicy: Fail` that can refuse what a step writes (pain H10). */
const webhookSchema = z.object({
  /** `ValidatingWebhookConfiguration/rancher.cattle.io`; `webhook` is its name in it. */
  object: z.string(),
  webhook: z.string(),
  /** Resources of `namespaces`, `daemonsets`, `pods` … that it is called for; `namespaces`: those of Calico in which it is. */
  asked: z.array(z.string()),
  namespaces: z.array(z.string()),
  backend: z.object({ object: z.string(), onHostNetwork: z.boolean().nullable() }),
});
export type WebhookFact = z.infer<typeof webhookSchema>;

export const resourcesSchema = z.object({
  podCount: z.number().nullable(),
  serviceCount: z.number().nullable(),
  /** Objects that a plan may change or guard, by id (`tigera-operator/ConfigMap/kubernetes-services-endpoint`). Null: it does not exist. Absent key: not read. */
  objects: z.record(z.string(), readObjectSchema.nullable()),
  tigeraStatuses: z.array(tigeraStatusSchema),
  ownership: z.array(ownershipMarkSchema),
  leftBehind: z.array(leftBehindSchema),
  helmReleases: z.array(helmReleaseSchema),
  access: z.array(accessSchema),
  apis: z.object({
    v3Available: z.boolean().nullable(),
    failing: z.array(z.object({ groupVersion: z.string(), because: z.string() })),
    /** Kinds that the answers want to write and that the API server does not serve: `stagednetworkpolicies.crd.projectcalico.org`. Absent: not looked for. */
    notServed: z.array(z.string()).exactOptional(),
  }),
  /** Why Calico's aggregated API is not available, in the API server's words; null: it is, or nothing says. */
  v3Unavailable: z.string().nullable(),
  webhooks: z.array(webhookSchema),
  endpointProbe: z.union([endpointProbeSchema, z.object({ because: z.string() })]),
});
