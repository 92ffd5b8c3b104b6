import type { V1ConfigMap, V1Namespace, V1ServiceAccount } from '@kubernetes/client-node';
import type { ObjectToWrite } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { inCalicoSystem, type RenderPlan } from './plan.ts';

/** Namespace calico-system. Agents on the host network need the privileged level of pod security. */
export function calicoNamespace(plan: RenderPlan): ObjectToWrite<V1Namespace> {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: names.calicoNamespace,
      labels: {
        name: names.calicoNamespace,
        'pod-security.kubernetes.io/enforce': 'privileged',
        'pod-security.kubernetes.io/enforce-version': 'latest',
      },
      ownerReferences: [plan.owner],
    },
  };
}

export function serviceAccount(plan: RenderPlan, name: string): ObjectToWrite<V1ServiceAccount> {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: inCalicoSystem(plan, name) };
}

/**
 * Names the operator that may act (calico.md §3.1). It has no owner, so that it outlives the Installation until the namespace goes. The annotation
 * lets a stand-in start again where it was active (refusal.ts).
 */
export function activeOperator(namespace: string): ObjectToWrite<V1ConfigMap> {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: names.activeOperatorConfigMap,
      namespace: names.calicoNamespace,
      annotations: { [names.operatorOwnerAnnotation]: 'signalbox' },
    },
    data: { [names.activeNamespaceKey]: namespace },
  };
}
