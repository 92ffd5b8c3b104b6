import type { KubeObject } from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';
import type { Keep } from '../process/writer.ts';
import { calicoNode } from './calico-node.ts';
import { cniConfigMap } from './cni-config.ts';
import { activeOperator, calicoNamespace, serviceAccount } from './foundation.ts';
import { kubeControllers } from './kube-controllers.ts';
import type { RenderPlan } from './plan.ts';
import { typha, typhaService } from './typha.ts';

export type Workload = { resource: Resource; object: KubeObject; keep: Keep };

/** All objects that the operator makes for an Installation, in the order in which it writes them. */
export function workloadsOf(plan: RenderPlan, operatorNamespace: string): Workload[] {
  const accounts = [names.nodeDaemonSet, names.typhaDeployment, names.kubeControllersDeployment];
  return [
    { resource: resources.namespaces, object: calicoNamespace(plan), keep: 'members' },
    { resource: resources.configMaps, object: activeOperator(operatorNamespace), keep: 'members' },
    ...accounts.map((name): Workload => {
      return { resource: resources.serviceAccounts, object: serviceAccount(plan, name), keep: 'present' };
    }),
    { resource: resources.configMaps, object: cniConfigMap(plan), keep: 'members' },
    { resource: resources.services, object: typhaService(plan), keep: 'members' },
    { resource: resources.deployments, object: typha(plan), keep: 'whole' },
    { resource: resources.daemonSets, object: calicoNode(plan), keep: 'whole' },
    { resource: resources.deployments, object: kubeControllers(plan), keep: 'whole' },
  ];
}
