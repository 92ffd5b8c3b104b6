import type { KubeObject, OwnerReference } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { uidOf } from '../builders.ts';
import { calicoVersion } from './calico-resources.ts';
import { type ClusterShape, injectedEndpoint } from './cluster-shape.ts';

/** Pieces that several of Calico's workloads have in common. */

export function ownerReference(): OwnerReference {
  return {
    apiVersion: 'operator.tigera.io/v1',
    blockOwnerDeletion: true,
    controller: true,
    kind: 'Installation',
    name: names.installation,
    uid: uidOf('Installation', '', names.installation),
  };
}

export function inCalicoSystem(name: string): KubeObject['metadata'] {
  return { name, namespace: names.calicoNamespace, ownerReferences: [ownerReference()] };
}

export const containerDefaults = {
  imagePullPolicy: 'IfNotPresent',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};
export const podDefaults = { restartPolicy: 'Always', schedulerName: 'default-scheduler', securityContext: {} };
export const everywhere = [
  { key: 'CriticalAddonsOnly', operator: 'Exists' },
  { effect: 'NoSchedule', operator: 'Exists' },
  { effect: 'NoExecute', operator: 'Exists' },
];
export const securityContext = {
  allowPrivilegeEscalation: true,
  capabilities: { drop: ['ALL'] },
  privileged: true,
  runAsGroup: 0,
  runAsNonRoot: false,
  runAsUser: 0,
  seccompProfile: { type: 'RuntimeDefault' },
};
export const unprivileged = (user: number, group: number) => ({
  ...securityContext,
  allowPrivilegeEscalation: false,
  privileged: false,
  runAsGroup: group,
  runAsNonRoot: true,
  runAsUser: user,
});

export type Env = { name: string; value?: string; valueFrom?: unknown };

export function envOf(values: Record<string, string>): Env[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

export function fromField(name: string, fieldPath: string): Env {
  return { name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } };
}

/** Without the ConfigMap the operator passes on what the kubelet injected into itself: the Service's ClusterIP (calico.md §3.2). */
export function endpointEnv({ endpoint }: ClusterShape): Env[] {
  const { host, port } = endpoint ?? injectedEndpoint;
  return envOf({ [names.endpointHostKey]: host, [names.endpointPortKey]: port });
}

export const hostPath = (name: string, path: string, type = '') => ({ hostPath: { path, type }, name });
export const caBundle = { configMap: { defaultMode: 420, name: 'tigera-ca-bundle' }, name: 'tigera-ca-bundle' };
export const caBundleMounts = [
  { mountPath: '/etc/pki/tls/certs', name: 'tigera-ca-bundle', readOnly: true },
  { mountPath: '/etc/pki/tls/cert.pem', name: 'tigera-ca-bundle', readOnly: true, subPath: 'ca-bundle.crt' },
];
export const probe = (periodSeconds: number, timeoutSeconds: number, failureThreshold: number, act: object) => ({
  failureThreshold,
  ...act,
  periodSeconds,
  successThreshold: 1,
  timeoutSeconds,
});
export const image = (name: string): string => `quay.io/calico/${name}:${calicoVersion}`;
