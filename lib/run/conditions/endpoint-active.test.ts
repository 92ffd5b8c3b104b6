import { expect, test } from 'vitest';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { names, type ObjectRef } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { endpointActive } from './endpoint-active.ts';

type Endpoint = { host: string; port: string };

const mke: Endpoint = { host: 'proxy.local', port: '6444' };
const clusterIP: Endpoint = { host: '10.96.0.1', port: '443' };

/** A workload that has rolled out, with this address in its one container. */
function workload(kind: string, name: string, address: Endpoint | null): KubeObject {
  const env = address
    ? [
        { name: names.endpointHostKey, value: address.host },
        { name: names.endpointPortKey, value: address.port },
      ]
    : [];
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { namespace: names.calicoNamespace, name, generation: 1 },
    spec: { replicas: 1, template: { spec: { containers: [{ name, env }] } } },
    status: {
      observedGeneration: 1,
      desiredNumberScheduled: 1,
      updatedNumberScheduled: 1,
      numberReady: 1,
      numberAvailable: 1,
      replicas: 1,
      updatedReplicas: 1,
      availableReplicas: 1,
      readyReplicas: 1,
    },
  };
}

function look(endpoint: Endpoint, carried: Readonly<Record<string, Endpoint | null>>) {
  const objects = Object.entries(carried).map(([name, address]) =>
    workload(name === names.nodeDaemonSet ? 'DaemonSet' : 'Deployment', name, address),
  );
  const get = async ({ namespace, name }: ObjectRef) =>
    objects.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace) ?? null;
  const context = { kube: { get } as Pick<Kube, 'get'>, signal: new AbortController().signal };
  return endpointActive({ kind: 'endpoint-active', endpoint }, context as ConditionContext);
}

const agent = names.nodeDaemonSet;
const controllers = names.kubeControllersDeployment;

test.each<[string, Endpoint, Readonly<Record<string, Endpoint | null>>, string]>([
  [
    "MKE's proxy, which the operator gives to no pod off the host network",
    mke,
    { [agent]: mke, [controllers]: null },
    'met',
  ],
  ['an agent without it', mke, { [agent]: null, [controllers]: null }, 'waiting'],
  ['a pod that still has the ClusterIP', mke, { [agent]: mke, [controllers]: clusterIP }, 'waiting'],
  [
    'another address than MKE’s, missing off the host network',
    clusterIP,
    { [agent]: clusterIP, [controllers]: null },
    'waiting',
  ],
])('%s', async (_, endpoint, carried, expected) => {
  expect((await look(endpoint, carried)).kind).toBe(expected);
});
