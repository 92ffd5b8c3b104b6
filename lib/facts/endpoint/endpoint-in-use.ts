import { containersOf, dataOf, type Workload } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { agents, deployments } from '../calico/agents.ts';
import { systemConfigMaps } from '../calico/calico-config-maps.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { calicoConfig, canalConfig, tracked } from '../reading/sources.ts';
import { type ConfigMaps, variableOf, workloadId } from '../reading/workload.ts';
import type { Facts } from '../schema.ts';

type InUse = Facts['endpoint']['inUse'];

/** Containers that connect to the API server. The kubelet gives the ClusterIP to others too, which do not use it. */
const clients: readonly string[] = [
  names.nodeContainer,
  'install-cni',
  names.typhaDeployment,
  names.kubeControllersDeployment,
  names.apiServerDeployment,
];

/** The API server's address in running workloads, which shows the address that is really used (pain A5). */
export const endpointInUse = defineCollector({
  id: 'endpoint-in-use',
  provides: ['workloads'],
  reads: {
    agents,
    deployments,
    systemEndpoint: tracked.systemEndpoint,
    operatorEndpoint: tracked.operatorEndpoint,
    calicoConfig,
    canalConfig,
  },
  collect: (read, facts) => {
    const inSystem = systemConfigMaps({
      endpoint: read.systemEndpoint.value,
      calico: read.calicoConfig.value,
      canal: read.canalConfig.value,
    });
    const inOperator: ConfigMaps = read.operatorEndpoint.value
      ? new Map([[names.endpointConfigMap, dataOf(read.operatorEndpoint.value)]])
      : new Map();
    const near = (workload: Workload): ConfigMaps =>
      workload.metadata.namespace === names.systemNamespace
        ? inSystem
        : workload.metadata.namespace === names.operatorNamespace
          ? inOperator
          : new Map();
    const workloads = [...read.agents.value, ...read.deployments.value];
    return {
      endpoint: { inUse: workloads.flatMap((workload) => inUseBy(workload, near(workload))) },
      coverage: {
        // Containers of a manifest take the address from a ConfigMap; the operator writes it into the template.
        workloads: facts.installation.method.startsWith('manifest')
          ? allOf(read.agents, read.deployments, read.systemEndpoint)
          : allOf(read.agents, read.deployments),
      },
    };
  },
});

function inUseBy(workload: Workload, configMaps: ConfigMaps): InUse {
  return containersOf(workload)
    .filter(({ container }) => clients.includes(container.name))
    .map(({ container }) => ({
      object: workloadId(workload),
      container: container.name,
      host: variableOf(container, names.endpointHostKey, configMaps),
      port: variableOf(container, names.endpointPortKey, configMaps),
    }));
}
