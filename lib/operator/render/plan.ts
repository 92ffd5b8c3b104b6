import type { V1Deployment, V1EnvVar, V1PodSpec } from '@kubernetes/client-node';
import type { InstallationSpec } from '#lib/installation/index.ts';
import type { Json, KubeObject, ObjectToWrite, OwnerReference } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { Release } from '../releases.ts';

export type Endpoint = { host: string; port: string };

/** All that decides what the workloads look like. Plain data: the same plan renders the same objects. */
export type RenderPlan = {
  release: Release;
  spec: InstallationSpec;
  owner: OwnerReference;
  /** Null: the pods use what the kubelet injects, which is the Service's ClusterIP. */
  endpoint: Endpoint | null;
  /** For bpfNetworkBootstrap: each ClusterIP of default/kubernetes with each port, and the API servers behind it. */
  bootstrap: { serviceAddresses: readonly string[]; apiServers: readonly string[] } | null;
  /** Address of the Service to which agents send their flows. Null: they send none. */
  flowLogs: { address: string } | null;
  /** dnsPolicy and dnsConfig of the operator's Deployment. */
  dns: { dnsPolicy: string; dnsConfig?: unknown };
  linuxNodes: number;
  cgroupV2Path: string | null;
};

/** For workloads beside the agents, which take the cluster's DNS and none of what only agents know. `owner`: the CR that asks for them. */
export function planBesideAgents(
  { release, linuxNodes }: { release: Release; linuxNodes: () => readonly string[] },
  owner: KubeObject,
  spec: InstallationSpec,
  endpoint: Endpoint | null,
): RenderPlan {
  return {
    release,
    spec,
    owner: ownedBy(owner),
    endpoint,
    bootstrap: null,
    flowLogs: null,
    dns: { dnsPolicy: 'ClusterFirst' },
    linuxNodes: linuxNodes().length,
    cgroupV2Path: null,
  };
}

export function ownedBy(installation: KubeObject): OwnerReference {
  return {
    apiVersion: installation.apiVersion,
    kind: installation.kind,
    name: installation.metadata.name ?? '',
    uid: installation.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

export function inCalicoSystem(
  plan: RenderPlan,
  name: string,
  labels?: Record<string, string>,
): KubeObject['metadata'] {
  return { name, namespace: names.calicoNamespace, ...(labels ? { labels } : {}), ownerReferences: [plan.owner] };
}

export type EnvVar = Json<V1EnvVar>;

export const env = (name: string, value: string): EnvVar => ({ name, value });

/** Variables with which a container reaches the API server past the service proxy (calico.md §3.2). */
export function endpointEnv(endpoint: Endpoint | null): EnvVar[] {
  return endpoint ? [env(names.endpointHostKey, endpoint.host), env(names.endpointPortKey, endpoint.port)] : [];
}

/** The same for a container on the pod network, which does not get MKE's `proxy.local`: that proxy answers on the host's network only (calico.md §3.2). */
export function endpointEnvOnPodNetwork({ endpoint, spec }: Pick<RenderPlan, 'endpoint' | 'spec'>): EnvVar[] {
  const isForHosts = spec.kubernetesProvider === 'DockerEnterprise' && endpoint?.host === names.proxyOfMke;
  return isForHosts ? [] : endpointEnv(endpoint);
}

/** Fields that the API server fills in for every container. They are written out, so that a stored object equals the wanted one. */
export const containerDefaults = {
  imagePullPolicy: 'IfNotPresent',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
} as const;

/** Fields that the API server fills in for every Deployment. */
export const deploymentDefaults = { progressDeadlineSeconds: 600, revisionHistoryLimit: 10 } as const;

export const podDefaults = {
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  securityContext: {},
} as const;

export const tolerateEverything = [
  { key: 'CriticalAddonsOnly', operator: 'Exists' },
  { effect: 'NoSchedule', operator: 'Exists' },
  { effect: 'NoExecute', operator: 'Exists' },
] as const;

const tolerateControlPlane = [
  { effect: 'NoSchedule', key: 'node-role.kubernetes.io/master' },
  { effect: 'NoSchedule', key: 'node-role.kubernetes.io/control-plane' },
  { key: 'CriticalAddonsOnly', operator: 'Exists' },
] as const;

export const privileged = {
  allowPrivilegeEscalation: true,
  capabilities: { drop: ['ALL'] },
  privileged: true,
  runAsGroup: 0,
  runAsNonRoot: false,
  runAsUser: 0,
  seccompProfile: { type: 'RuntimeDefault' },
} as const;

export const unprivileged = (user: number, group: number) =>
  ({
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    privileged: false,
    runAsGroup: group,
    runAsNonRoot: true,
    runAsUser: user,
    seccompProfile: { type: 'RuntimeDefault' },
  }) as const;

export const caBundleMounts = [
  { mountPath: '/etc/pki/tls/certs', name: 'tigera-ca-bundle', readOnly: true },
  { mountPath: '/etc/pki/tls/cert.pem', name: 'tigera-ca-bundle', readOnly: true, subPath: 'ca-bundle.crt' },
] as const;

export const caBundleVolume = {
  configMap: { defaultMode: 420, name: 'tigera-ca-bundle' },
  name: 'tigera-ca-bundle',
} as const;

/** Pod fields of a workload that may run on the control plane. */
export function onControlPlane({ spec }: RenderPlan) {
  return {
    ...podDefaults,
    dnsPolicy: 'ClusterFirst',
    nodeSelector: { 'kubernetes.io/os': 'linux', ...spec.controlPlaneNodeSelector },
    terminationGracePeriodSeconds: 30,
    tolerations: [...tolerateControlPlane, ...(spec.controlPlaneTolerations ?? [])],
  };
}

/**
 * A Deployment of one pod in calico-system that may run on the control plane. The operator makes all its Deployments so, except the API server's.
 * `pod`: the fields of its own.
 */
export function onePodInCalicoSystem(
  plan: RenderPlan,
  name: string,
  pod: Json<V1PodSpec>,
): ObjectToWrite<V1Deployment> {
  const own = { 'k8s-app': name };
  const labels = { 'app.kubernetes.io/name': name, ...own };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: inCalicoSystem(plan, name, labels),
    spec: {
      ...deploymentDefaults,
      replicas: 1,
      selector: { matchLabels: own },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels },
        spec: { ...onControlPlane(plan), ...pod },
      },
    },
  };
}
