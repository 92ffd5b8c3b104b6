import { z } from 'zod';
import { subjectSchema, versionedSchema } from './parts.ts';

/**
 * A CustomResourceDefinition of Calico without its schema, as all schemas are two megabytes. `fingerprint`: `schemaFingerprint` of lib/spec. `writers`:
 * field managers and the fields of the spec that they wrote (`spec.versions`), without statuses.
 */
const definitionSchema = z.object({
  name: z.string(),
  fingerprint: z.string(),
  /** Annotation `controller-gen.kubebuilder.io/version`; null: it has none. */
  generator: z.string().nullable(),
  /** Bytes of the annotation that client-side `kubectl apply` leaves; null: it has none. */
  lastAppliedBytes: z.number().nullable(),
  writers: z.array(z.object({ manager: z.string(), operation: z.string(), fields: z.array(z.string()) })),
});
export type DefinitionFact = z.infer<typeof definitionSchema>;

/**
 * An object of any kind with owners of `projectcalico.org/v3`. `uid`: its own; `references`: those to such owners, exactly as they are; `writers`: the
 * field managers that wrote them.
 */
const dependantSchema = z.object({
  resource: z.object({
    group: z.string(),
    version: z.string(),
    kind: z.string(),
    plural: z.string(),
    namespaced: z.boolean(),
  }),
  namespace: z.string().nullable(),
  name: z.string(),
  uid: z.string(),
  references: z.array(
    z.object({
      apiVersion: z.string(),
      kind: z.string(),
      name: z.string(),
      uid: z.string(),
      controller: z.boolean().exactOptional(),
      blockOwnerDeletion: z.boolean().exactOptional(),
    }),
  ),
  writers: z.array(z.string()),
});
export type Dependant = z.infer<typeof dependantSchema>;

/** Facts that only upgrades need. */
export const upgradeSchema = z.object({
  /** Names: `calico-v3.31.4`. */
  imageSets: z.array(z.string()),
  definitions: z.array(definitionSchema),
  /** Objects with owners of `projectcalico.org/v3`. `detail`: the owners. */
  ownerReferences: z.array(subjectSchema),
  /** The objects of `ownerReferences` with all that is needed to remove the references and to restore them. */
  dependants: z.array(dependantSchema),
  hostEndpoints: z.object({
    /** `spec.controllers.node.hostEndpoint.autoCreate` of KubeControllersConfiguration default; null: not set. */
    autoCreate: z.enum(['Enabled', 'Disabled']).nullable(),
    /** `createDefaultHostEndpoint` beside it; null: not set. `Disabled`: only templates make host endpoints. */
    createDefault: z.enum(['Enabled', 'Disabled']).nullable().default(null),
    /** Number of host endpoints that Calico's controllers made. */
    automatic: z.number(),
    /** Host endpoints for all interfaces that people made. */
    allInterfaces: z.array(subjectSchema),
    /** Those host endpoints with labels, profiles and names of ports. `node` null: the endpoint names none. Empty in facts of earlier versions. */
    byHand: z
      .array(
        z.object({
          name: z.string(),
          node: z.string().nullable(),
          labels: z.record(z.string(), z.string()),
          profiles: z.array(z.string()).default([]),
          ports: z.array(z.string()).default([]),
        }),
      )
      .default([]),
    /**
     * Global policies that would apply to hosts once there are automatic host endpoints, by the present labels of nodes. `nodes`: how many, and the first
     * of them; null: the selector cannot be read. Empty in facts of earlier versions.
     */
    wouldSelect: z
      .array(
        z.object({
          policy: z.string(),
          selector: z.string(),
          nodes: z.object({ count: z.number(), first: z.array(z.string()) }).nullable(),
        }),
      )
      .default([]),
    /** Global policies that select one of `byHand` now, or whose selector cannot be read. Empty in facts of earlier versions. */
    selecting: z
      .array(
        z.object({
          policy: z.string(),
          selector: z.string().nullable(),
          namespaceSelector: z.string().nullable(),
          serviceAccountSelector: z.string().nullable(),
        }),
      )
      .default([]),
  }),
  /** Policies `allow-all-upgrade`, with or without the tier before the name. */
  temporaryPolicies: z.array(subjectSchema),
  /** Calico's policies in the default tier: their number, and the first of them. */
  defaultTierPolicies: z.object({ count: z.number(), first: z.array(subjectSchema) }),
  calicoctls: z.array(versionedSchema),
  /** Workloads with the sidecar of application layer policy, known by their pods or by their templates. */
  sidecars: z.array(
    versionedSchema.extend({
      /** The workload's own template has the sidecar (`istioctl kube-inject`), so that a restart keeps it. `unknown`: the template could not be read. */
      inTemplate: z.literal([true, 'unknown']).optional(),
    }),
  ),
  /** Workloads of Calico and its operator whose rollout can never end. Empty in facts of earlier versions. */
  stuck: z
    .array(
      z.object({
        /** `detail`: the reason, as a phrase. */
        subject: subjectSchema,
        /**
         * `no-node`: no node takes its pod; `paused`: the Deployment is paused; `on-delete`: the DaemonSet waits until somebody deletes each pod; `ignored`:
         * an annotation tells the operator to leave it alone.
         */
        by: z.enum(['no-node', 'paused', 'on-delete', 'ignored']),
      }),
    )
    .default([]),
  /** Workloads of kube-system and the objects there that their pods use, by id: `kube-system/ConfigMap/old`. Empty in facts of earlier versions. */
  users: z.array(z.object({ user: z.string(), uses: z.array(z.string()) })).default([]),
});
