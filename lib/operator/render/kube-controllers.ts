import type { V1Deployment } from '@kubernetes/client-node';
import type { Written } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { image } from './image.ts';
import {
  caBundleMounts,
  caBundleVolume,
  containerDefaults,
  deploymentDefaults,
  endpointEnv,
  env,
  inCalicoSystem,
  podDefaults,
  type RenderPlan,
  tolerateControlPlane,
  unprivileged,
} from './plan.ts';

/** Deployment calico-kube-controllers as recorded (install-enable-rollback-3.31.4.jsonl, t=7.5): one replica, Recreate. */
export function kubeControllers(plan: RenderPlan): Written<V1Deployment> {
  const name = names.kubeControllersDeployment;
  const labels = { 'k8s-app': name };
  const probe = (flag: string) => ({
    exec: { command: ['/usr/bin/check-status', flag] },
    successThreshold: 1,
    timeoutSeconds: 10,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: inCalicoSystem(plan, name, { 'app.kubernetes.io/name': name, ...labels }),
    spec: {
      ...deploymentDefaults,
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': name, ...labels } },
        spec: {
          ...podDefaults,
          containers: [
            {
              ...containerDefaults,
              env: [
                env('KUBE_CONTROLLERS_CONFIG_NAME', 'default'),
                env('DATASTORE_TYPE', 'kubernetes'),
                env('ENABLED_CONTROLLERS', 'node,loadbalancer'),
                env('DISABLE_KUBE_CONTROLLERS_CONFIG_API', 'false'),
                ...endpointEnv(plan.endpoint),
                env('CA_CRT_PATH', '/etc/pki/tls/certs/tigera-ca-bundle.crt'),
              ],
              image: image(plan.spec, 'kube-controllers', plan.release.calicoVersion),
              livenessProbe: { ...probe('-l'), failureThreshold: 6, initialDelaySeconds: 10, periodSeconds: 60 },
              name,
              readinessProbe: { ...probe('-r'), failureThreshold: 3, periodSeconds: 30 },
              securityContext: unprivileged(999, 0),
              volumeMounts: caBundleMounts,
            },
          ],
          dnsPolicy: 'ClusterFirst',
          nodeSelector: { 'kubernetes.io/os': 'linux', ...plan.spec.controlPlaneNodeSelector },
          priorityClassName: 'system-cluster-critical',
          serviceAccount: name,
          serviceAccountName: name,
          terminationGracePeriodSeconds: 30,
          tolerations: [...tolerateControlPlane, ...(plan.spec.controlPlaneTolerations ?? [])],
          volumes: [caBundleVolume],
        },
      },
    },
  };
}
