import type { KubeObject } from '#lib/kube/index.ts';
import { containerDefaults, deploymentDefaults, podDefaults } from '#lib/operator/index.ts';
import { names } from '#lib/spec/index.ts';

/** Deployment tigera-operator as published in its release. */
export function operatorDeployment(version: string): KubeObject {
  const name = names.operatorDeployment;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: names.operatorNamespace, labels: { 'k8s-app': name } },
    spec: {
      ...deploymentDefaults,
      replicas: 1,
      selector: { matchLabels: { name } },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
      template: {
        metadata: { labels: { 'k8s-app': name, name } },
        spec: {
          ...podDefaults,
          containers: [
            {
              ...containerDefaults,
              args: ['-manage-crds=true'],
              command: ['operator'],
              env: [
                { name: 'WATCH_NAMESPACE' },
                { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
                { name: 'OPERATOR_NAME', value: name },
                { name: 'TIGERA_OPERATOR_INIT_IMAGE_VERSION', value: version },
              ],
              envFrom: [{ configMapRef: { name: names.endpointConfigMap, optional: true } }],
              image: `quay.io/tigera/operator:${version}`,
              name,
              volumeMounts: [{ mountPath: '/var/lib/calico', name: 'var-lib-calico', readOnly: true }],
            },
          ],
          dnsPolicy: 'ClusterFirstWithHostNet',
          hostNetwork: true,
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          serviceAccount: name,
          serviceAccountName: name,
          terminationGracePeriodSeconds: 60,
          tolerations: [
            { effect: 'NoExecute', operator: 'Exists' },
            { effect: 'NoSchedule', operator: 'Exists' },
          ],
          volumes: [{ hostPath: { path: '/var/lib/calico', type: '' }, name: 'var-lib-calico' }],
        },
      },
    },
  };
}
