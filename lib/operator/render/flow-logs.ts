import type { V1Deployment, V1Service } from '@kubernetes/client-node';
import type { Written } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { image } from './image.ts';
import {
  containerDefaults,
  deploymentDefaults,
  env,
  inCalicoSystem,
  podDefaults,
  type RenderPlan,
  tolerateControlPlane,
  unprivileged,
} from './plan.ts';

/** What Goldmane and Whisker make, as far as agents, status and people see it (calico.md §6.1; install-enable-rollback-3.31.4.jsonl, t=6.5 to 7.4). */
type Part = { readonly name: string; readonly containers: readonly string[]; readonly port: number };

export const flowLogParts = {
  goldmane: { name: 'goldmane', containers: ['goldmane'], port: 7443 },
  whisker: { name: 'whisker', containers: ['whisker', 'whisker-backend'], port: 8081 },
} as const satisfies Record<string, Part>;

/** As agents find it: its name goes into their hosts file, with the address of its Service. */
export const goldmaneHost = `goldmane.${names.calicoNamespace}.svc`;
export const goldmaneServer = `${goldmaneHost}:${flowLogParts.goldmane.port}`;

export function flowLogService(plan: RenderPlan, { name, port }: Part): Written<V1Service> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: inCalicoSystem(plan, name),
    spec: { ports: [{ port, protocol: 'TCP', targetPort: port }], selector: { 'k8s-app': name }, type: 'ClusterIP' },
  };
}

export function flowLogDeployment(plan: RenderPlan, { name, containers }: Part): Written<V1Deployment> {
  const labels = { 'k8s-app': name };
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
          containers: containers.map((one) => ({
            ...containerDefaults,
            env: [env('LOG_LEVEL', 'INFO')],
            image: image(plan.spec, one, plan.release.calicoVersion),
            name: one,
            securityContext: unprivileged(10001, 10001),
          })),
          dnsPolicy: 'ClusterFirst',
          nodeSelector: { 'kubernetes.io/os': 'linux', ...plan.spec.controlPlaneNodeSelector },
          terminationGracePeriodSeconds: 30,
          tolerations: [...tolerateControlPlane, ...(plan.spec.controlPlaneTolerations ?? [])],
        },
      },
    },
  };
}
