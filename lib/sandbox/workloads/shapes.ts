import { z } from 'zod';
import { notReady } from '#lib/spec/index.ts';

/** The fields that the simulated controllers read of each kind. All other fields are kept as they are. */

const labels = z.record(z.string(), z.string());
const labelSelector = z.looseObject({ matchLabels: labels.default({}) });

const metadata = z.looseObject({
  name: z.string(),
  namespace: z.string().default(''),
  uid: z.string(),
  generation: z.number().default(0),
  creationTimestamp: z.string(),
  deletionTimestamp: z.string().optional(),
  labels: labels.default({}),
  annotations: labels.default({}),
  ownerReferences: z.array(z.looseObject({ kind: z.string(), name: z.string(), uid: z.string() })).default([]),
});

const toleration = z.looseObject({
  key: z.string().optional(),
  operator: z.string().optional(),
  value: z.string().optional(),
  effect: z.string().optional(),
});
export type Toleration = z.infer<typeof toleration>;

const requirement = z.looseObject({
  key: z.string(),
  operator: z.string(),
  values: z.array(z.string()).default([]),
});

const nodeSelectorTerm = z.looseObject({
  matchExpressions: z.array(requirement).default([]),
  matchFields: z.array(requirement).default([]),
});

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
});
export type Container = z.infer<typeof container>;

const podSpec = z.looseObject({
  nodeName: z.string().optional(),
  nodeSelector: labels.default({}),
  hostNetwork: z.boolean().default(false),
  tolerations: z.array(toleration).default([]),
  affinity: z
    .looseObject({
      nodeAffinity: z
        .looseObject({
          requiredDuringSchedulingIgnoredDuringExecution: z
            .looseObject({ nodeSelectorTerms: z.array(nodeSelectorTerm).default([]) })
            .optional(),
        })
        .optional(),
    })
    .optional(),
  containers: z.array(container),
  initContainers: z.array(container).default([]),
});
export type PodSpec = z.infer<typeof podSpec>;

const template = z.looseObject({
  metadata: z.looseObject({ labels: labels.default({}), annotations: labels.default({}) }).default({
    labels: {},
    annotations: {},
  }),
  spec: podSpec,
});

/** Fields that DaemonSets, Deployments and ReplicaSets share. */
const workloadSpec = z.looseObject({ selector: labelSelector, template });

const rollingUpdate = 'RollingUpdate';
const intOrPercent = z.union([z.number(), z.string()]);
const strategyOf = <Shape extends z.ZodType>(limits: Shape) =>
  z
    .looseObject({ type: z.string().default(rollingUpdate), rollingUpdate: limits.optional() })
    .default({ type: rollingUpdate });

const conditions = z
  .array(
    z.looseObject({
      type: z.string(),
      status: z.string(),
      reason: z.string().optional(),
      message: z.string().optional(),
      lastUpdateTime: z.string().optional(),
      lastTransitionTime: z.string().optional(),
    }),
  )
  .default([]);

export const nodeShape = z.looseObject({
  metadata,
  spec: z
    .looseObject({
      unschedulable: z.boolean().default(false),
      taints: z.array(z.looseObject({ key: z.string(), value: z.string().optional(), effect: z.string() })).default([]),
      podCIDR: z.string().optional(),
    })
    .default({ unschedulable: false, taints: [] }),
  status: z
    .looseObject({
      addresses: z.array(z.looseObject({ type: z.string(), address: z.string() })).default([]),
      conditions,
      nodeInfo: z
        .looseObject({ kernelVersion: z.string().default(''), osImage: z.string().default('') })
        .default({ kernelVersion: '', osImage: '' }),
    })
    .default({ addresses: [], conditions: [], nodeInfo: { kernelVersion: '', osImage: '' } }),
});
export type NodeShape = z.infer<typeof nodeShape>;

const containerStatus = z.looseObject({
  name: z.string(),
  ready: z.boolean(),
  restartCount: z.number(),
  containerID: z.string().optional(),
  state: z.looseObject({ running: z.looseObject({ startedAt: z.string() }).optional() }).default({}),
});

export const podShape = z.looseObject({
  metadata,
  spec: podSpec,
  status: z
    .looseObject({
      phase: z.string().default('Pending'),
      podIP: z.string().optional(),
      conditions,
      containerStatuses: z.array(containerStatus).default([]),
      initContainerStatuses: z.array(z.looseObject({ name: z.string(), restartCount: z.number() })).default([]),
    })
    .default({ phase: 'Pending', conditions: [], containerStatuses: [], initContainerStatuses: [] }),
});
export type PodShape = z.infer<typeof podShape>;

export const daemonSetShape = z.looseObject({
  metadata,
  spec: workloadSpec.extend({
    minReadySeconds: z.number().default(0),
    updateStrategy: strategyOf(z.looseObject({ maxUnavailable: intOrPercent.default(1) })),
  }),
  status: z.looseObject({}).default({}),
});
export type DaemonSetShape = z.infer<typeof daemonSetShape>;

export const deploymentShape = z.looseObject({
  metadata,
  spec: workloadSpec.extend({
    replicas: z.number().default(1),
    strategy: strategyOf(
      z.looseObject({ maxSurge: intOrPercent.default('25%'), maxUnavailable: intOrPercent.default('25%') }),
    ),
  }),
  status: z.looseObject({ conditions }).default({ conditions: [] }),
});
export type DeploymentShape = z.infer<typeof deploymentShape>;

export const replicaSetShape = z.looseObject({
  metadata,
  spec: workloadSpec.extend({ replicas: z.number().default(1) }),
  status: z
    .looseObject({ replicas: z.number().default(0), readyReplicas: z.number().default(0) })
    .default({ replicas: 0, readyReplicas: 0 }),
});
export type ReplicaSetShape = z.infer<typeof replicaSetShape>;

export function isReady(pod: PodShape): boolean {
  return pod.status.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

export function isTerminating(pod: PodShape): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** The pods that a node's kubelet runs. While the node lacks only a network, these are the pods on the host's network. */
export function runsOn({ status }: NodeShape): 'every pod' | 'host network' | 'nothing' {
  const waits = notReady(
    status.conditions.map(({ type, status: is, reason = null, message = null }) => ({
      type,
      status: is,
      reason,
      message,
    })),
  );
  if (waits === null) return 'every pod';
  return waits.waitsFor === 'network' ? 'host network' : 'nothing';
}

export function nodeAddress(node: NodeShape): string {
  return node.status.addresses.find(({ type }) => type === 'InternalIP')?.address ?? '';
}
