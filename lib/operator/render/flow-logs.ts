import type { V1Deployment, V1Service } from '@kubernetes/client-node';
import type { ObjectToWrite } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { image } from './image.ts';
import { containerDefaults, env, inCalicoSystem, onePodInCalicoSystem, type RenderPlan, unprivileged } from './plan.ts';

/** A component of the flow logs: what agents, status and people see of it (calico.md §6.1; install-enable-rollback-3.31.4.jsonl, t=6.5 to 7.4). */
type Part = { readonly name: string; readonly containers: readonly string[]; readonly port: number };

export const flowLogParts = {
  goldmane: { name: 'goldmane', containers: ['goldmane'], port: 7443 },
  whisker: { name: 'whisker', containers: ['whisker', 'whisker-backend'], port: 8081 },
} as const satisfies Record<string, Part>;

/** The name under which agents find Goldmane. It stands in their hosts file with the address of its Service. */
export const goldmaneHost = `goldmane.${names.calicoNamespace}.svc`;
export const goldmaneServer = `${goldmaneHost}:${flowLogParts.goldmane.port}`;

export function flowLogService(plan: RenderPlan, { name, port }: Part): ObjectToWrite<V1Service> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: inCalicoSystem(plan, name),
    spec: { ports: [{ port, protocol: 'TCP', targetPort: port }], selector: { 'k8s-app': name }, type: 'ClusterIP' },
  };
}

export function flowLogDeployment(plan: RenderPlan, { name, containers }: Part): ObjectToWrite<V1Deployment> {
  return onePodInCalicoSystem(plan, name, {
    containers: containers.map((one) => ({
      ...containerDefaults,
      env: [env('LOG_LEVEL', 'INFO')],
      image: image(plan.spec, one, plan.release.calicoVersion),
      name: one,
      securityContext: unprivileged(10001, 10001),
    })),
  });
}
