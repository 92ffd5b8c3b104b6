import type { V1Deployment } from '@kubernetes/client-node';
import type { ObjectToWrite } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { image } from './image.ts';
import {
  containerDefaults,
  deploymentDefaults,
  endpointEnvOnPodNetwork,
  env,
  onControlPlane,
  type RenderPlan,
  unprivileged,
} from './plan.ts';

/** Deployment calico-apiserver, in calico-system since 3.31 (calico.md §13.25). Owned by the APIServer, not by the Installation. */
export function apiServer(plan: RenderPlan): ObjectToWrite<V1Deployment> {
  const name = names.apiServerDeployment;
  const labels = { apiserver: 'true', 'k8s-app': name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace: names.calicoNamespace,
      labels: { 'app.kubernetes.io/name': name, ...labels },
      ownerReferences: [plan.owner],
    },
    spec: {
      ...deploymentDefaults,
      replicas: plan.spec.controlPlaneReplicas ?? 2,
      selector: { matchLabels: { apiserver: 'true' } },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': name, ...labels } },
        spec: {
          ...onControlPlane(plan),
          containers: [
            {
              ...containerDefaults,
              args: ['--secure-port=5443'],
              env: [env('DATASTORE_TYPE', 'kubernetes'), ...endpointEnvOnPodNetwork(plan)],
              image: image(plan.spec, 'apiserver', plan.release.calicoVersion),
              name,
              readinessProbe: {
                failureThreshold: 3,
                httpGet: { path: '/readyz', port: 5443, scheme: 'HTTPS' },
                periodSeconds: 60,
                successThreshold: 1,
                timeoutSeconds: 5,
              },
              securityContext: unprivileged(10001, 10001),
            },
          ],
          priorityClassName: 'system-cluster-critical',
          serviceAccount: name,
          serviceAccountName: name,
        },
      },
    },
  };
}
