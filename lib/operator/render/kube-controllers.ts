import type { V1Deployment } from '@kubernetes/client-node';
import type { ObjectToWrite } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { image } from './image.ts';
import {
  caBundleMounts,
  caBundleVolume,
  containerDefaults,
  endpointEnvOnPodNetwork,
  env,
  onePodInCalicoSystem,
  type RenderPlan,
  unprivileged,
} from './plan.ts';

/** Deployment calico-kube-controllers as recorded (install-enable-rollback-3.31.4.jsonl, t=7.5): one replica, Recreate. */
export function kubeControllers(plan: RenderPlan): ObjectToWrite<V1Deployment> {
  const name = names.kubeControllersDeployment;
  const probe = (flag: string) => ({
    exec: { command: ['/usr/bin/check-status', flag] },
    successThreshold: 1,
    timeoutSeconds: 10,
  });
  return onePodInCalicoSystem(plan, name, {
    containers: [
      {
        ...containerDefaults,
        env: [
          env('KUBE_CONTROLLERS_CONFIG_NAME', 'default'),
          env('DATASTORE_TYPE', 'kubernetes'),
          env('ENABLED_CONTROLLERS', 'node,loadbalancer'),
          env('DISABLE_KUBE_CONTROLLERS_CONFIG_API', 'false'),
          ...endpointEnvOnPodNetwork(plan),
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
    priorityClassName: 'system-cluster-critical',
    serviceAccount: name,
    serviceAccountName: name,
    volumes: [caBundleVolume],
  });
}
