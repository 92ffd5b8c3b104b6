import type { ManifestObject } from '#lib/spec/index.ts';
import { names } from '#lib/spec/index.ts';

const name = names.operatorDeployment;
const namespace = names.operatorNamespace;
const labels = { 'k8s-app': name };
const group = 'rbac.authorization.k8s.io';

/**
 * `tigera-operator.yaml` (calico.md §1.2), in the order of the file. It has fewer rights than the real one, because nothing in a sandbox needs them.
 */
export function operatorManifest(version: string): ManifestObject[] {
  return [operatorNamespace, serviceAccount, secretsRole, clusterRole, ...bindings, operatorDeployment(version)];
}

export const operatorNamespace: ManifestObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace, labels: { name: namespace, 'pod-security.kubernetes.io/enforce': 'privileged' } },
};

export const serviceAccount: ManifestObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace, labels },
};

export const secretsRole: ManifestObject = {
  apiVersion: `${group}/v1`,
  kind: 'ClusterRole',
  metadata: { name: `${name}-secrets`, labels },
  rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['create', 'update', 'delete'] }],
};

export const clusterRole: ManifestObject = {
  apiVersion: `${group}/v1`,
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules: [
    { apiGroups: ['operator.tigera.io', 'crd.projectcalico.org'], resources: ['*'], verbs: ['*'] },
    {
      apiGroups: ['apps'],
      resources: ['deployments', 'daemonsets'],
      verbs: ['create', 'get', 'list', 'patch', 'update', 'delete', 'watch'],
    },
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      verbs: ['get', 'list', 'watch', 'create', 'update'],
    },
  ],
};

const subjects = [{ kind: 'ServiceAccount', name, namespace }];

export const bindings: readonly ManifestObject[] = [
  {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels },
    subjects,
    roleRef: { kind: 'ClusterRole', name, apiGroup: group },
  },
  {
    apiVersion: `${group}/v1`,
    kind: 'RoleBinding',
    metadata: { name: `${name}-secrets`, namespace, labels },
    subjects,
    roleRef: { kind: 'ClusterRole', name: `${name}-secrets`, apiGroup: group },
  },
];

/** Deployment tigera-operator as published in its release. */
export function operatorDeployment(version: string, initContainers: readonly unknown[] = []): ManifestObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { name } },
      template: {
        metadata: { labels: { name, ...labels } },
        spec: {
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [
            { effect: 'NoExecute', operator: 'Exists' },
            { effect: 'NoSchedule', operator: 'Exists' },
          ],
          serviceAccountName: name,
          terminationGracePeriodSeconds: 60,
          hostNetwork: true,
          dnsPolicy: 'ClusterFirstWithHostNet',
          ...(initContainers.length > 0 ? { initContainers } : {}),
          containers: [
            {
              name,
              image: `quay.io/tigera/operator:${version}`,
              imagePullPolicy: 'IfNotPresent',
              command: ['operator'],
              args: ['-manage-crds=true'],
              volumeMounts: [{ name: 'var-lib-calico', readOnly: true, mountPath: '/var/lib/calico' }],
              env: [
                { name: 'WATCH_NAMESPACE', value: '' },
                { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                { name: 'OPERATOR_NAME', value: name },
                { name: 'TIGERA_OPERATOR_INIT_IMAGE_VERSION', value: version },
              ],
              envFrom: [{ configMapRef: { name: names.endpointConfigMap, optional: true } }],
            },
          ],
          volumes: [{ name: 'var-lib-calico', hostPath: { path: '/var/lib/calico' } }],
        },
      },
    },
  };
}
