import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';
import { revisionAnnotation } from './revision-annotation.ts';
import { isReady, isTerminating, type PodShape, type ReplicaSetShape } from './shapes.ts';

/** ReplicaSets as a resource. Only sandboxes handle them: the product reads pods, and owners of their owners by name. */
export const replicaSets: Resource = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  namespaced: true,
};

export const podTemplateHashLabel = 'pod-template-hash';

export type ReplicaSetDecision = { create: number; remove: PodShape[]; status: Record<string, number | null> };

/** One turn of the ReplicaSet controller. Pods that are not ready go first, then the youngest. */
export function decideReplicaSet(replicaSet: ReplicaSetShape, pods: readonly PodShape[]): ReplicaSetDecision {
  const staying = pods.filter((pod) => !isTerminating(pod));
  const ready = staying.filter(isReady).length;
  const surplus = staying.length - replicaSet.spec.replicas;
  const firstToGo = [...staying].sort(
    (a, b) =>
      Number(isReady(a)) - Number(isReady(b)) ||
      (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1) ||
      (a.metadata.name < b.metadata.name ? -1 : 1),
  );
  return {
    create: Math.max(0, -surplus),
    remove: firstToGo.slice(0, Math.max(0, surplus)),
    status: {
      replicas: staying.length,
      fullyLabeledReplicas: staying.length || null,
      readyReplicas: ready || null,
      availableReplicas: ready || null,
      observedGeneration: replicaSet.metadata.generation,
    },
  };
}

const workload = z.looseObject({
  spec: z.looseObject({
    selector: z.looseObject({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.looseObject({ metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }) }),
  }),
});

/** The ReplicaSet as the Deployment controller creates it. */
export function replicaSetFor(deployment: KubeObject, hash: string, revision: string, replicas: number): KubeObject {
  const { template, selector } = workload.parse(deployment).spec;
  const { name = '', namespace = '', uid = '' } = deployment.metadata;
  const labels = { ...template.metadata.labels, [podTemplateHashLabel]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      annotations: { [revisionAnnotation]: revision },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      replicas,
      selector: { matchLabels: { ...selector.matchLabels, [podTemplateHashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}
