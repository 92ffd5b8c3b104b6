import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { kubeControllers, operator, typha } from './calico-deployments.ts';
import { calicoNode } from './calico-node.ts';
import type { ClusterShape } from './cluster-shape.ts';
import { cniConfigMap } from './cni-config.ts';
import { service } from './kubeadm.ts';
import { inCalicoSystem, ownerReference } from './workload-parts.ts';

/** The operator and what it makes: names, environment, probes and tolerations as recorded of v3.31.4 (calico.md §3.4). */
export function calicoWorkloads(shape: ClusterShape): KubeObject[] {
  return [
    ...[names.operatorNamespace, names.calicoNamespace].map(privilegedNamespace),
    operator(),
    ...endpointConfigMap(shape),
    activeOperator(),
    ...[names.nodeDaemonSet, names.typhaDeployment, names.kubeControllersDeployment].map(serviceAccount),
    cniConfigMap(shape),
    typhaService(),
    calicoNode(shape),
    typha(shape),
    kubeControllers(shape),
  ];
}

function privilegedNamespace(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        'kubernetes.io/metadata.name': name,
        name,
        'pod-security.kubernetes.io/enforce': 'privileged',
        ...(name === names.calicoNamespace ? { 'pod-security.kubernetes.io/enforce-version': 'latest' } : {}),
      },
      ...(name === names.calicoNamespace ? { ownerReferences: [ownerReference()] } : {}),
    },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

function endpointConfigMap({ endpoint }: ClusterShape): KubeObject[] {
  if (!endpoint) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: names.endpointConfigMap, namespace: names.operatorNamespace },
      data: { [names.endpointHostKey]: endpoint.host, [names.endpointPortKey]: endpoint.port },
    },
  ];
}

/** The operator that works in sandboxes is ours, and says so. */
function activeOperator(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: names.activeOperatorConfigMap,
      namespace: names.calicoNamespace,
      annotations: { [names.operatorOwnerAnnotation]: 'signalbox' },
    },
    data: { [names.activeNamespaceKey]: names.operatorNamespace },
  };
}

function serviceAccount(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: inCalicoSystem(name) };
}

function typhaService(): KubeObject {
  const labels = { 'k8s-app': names.typhaDeployment };
  const port = { name: names.typhaDeployment, port: 5473, protocol: 'TCP', targetPort: names.typhaDeployment };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...inCalicoSystem(names.typhaDeployment), labels },
    spec: service('10.100.0.54', labels, [port]),
    status: { loadBalancer: {} },
  };
}
