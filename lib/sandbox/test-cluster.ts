import type { KubeObject } from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';
import { type OpenSandbox, type OpenSandboxOptions, openSandbox } from './open.ts';
import { aCluster } from './templates/cluster.ts';
import type { ClusterShape } from './templates/cluster-shape.ts';
import { podShape } from './workloads/shapes.ts';

/** A sandbox in memory for tests, whose time jumps, with the questions and acts that most tests need. */
export type TestCluster = OpenSandbox & {
  /** All writes since the sandbox was opened, in order. */
  writes: { at: number; type: string; object: KubeObject }[];
  list(resource: Resource, labelSelector?: string): Promise<KubeObject[]>;
  podOn(node: string, app: string): Promise<KubeObject>;
  agentLog(node: string): Promise<string>;
  /** Changes the environment of calico-node, as the operator does after a change of the endpoint. */
  rollAgents(host: string, port?: string): Promise<unknown>;
  felix(spec: Record<string, unknown>, name?: string): Promise<unknown>;
  annotateNode(node: string, annotations: Record<string, string | null>): Promise<unknown>;
};

export async function openTestCluster(
  differs: Partial<ClusterShape> = {},
  options: Partial<OpenSandboxOptions> = {},
): Promise<TestCluster> {
  const objects = aCluster({ now: Date.UTC(2026, 0, 1), ...differs });
  const sandbox = await openSandbox('standard', { speed: 'instant', objects, ...options });
  const { kube, store, clock } = sandbox;
  const writes: TestCluster['writes'] = [];
  store.onChange(({ type, object }) => writes.push({ at: clock.now(), type, object }));

  const list = async (resource: Resource, labelSelector?: string) => {
    const found: KubeObject[] = [];
    for await (const page of kube.list(resource, labelSelector ? { labelSelector } : {})) found.push(...page.items);
    return found;
  };
  const podOn = async (node: string, app: string) => {
    const pods = await list(resources.pods, `k8s-app=${app}`);
    const pod = pods.find((each) => podShape.parse(each).spec.nodeName === node);
    if (!pod) throw new Error(`no pod of ${app} on ${node}`);
    return pod;
  };
  return {
    ...sandbox,
    writes,
    list,
    podOn,
    agentLog: async (node) => {
      const { name = '', namespace = '' } = (await podOn(node, names.nodeDaemonSet)).metadata;
      return kube.logs({ name, namespace }, { container: names.nodeContainer });
    },
    rollAgents: async (host, port = '6443') => {
      const ref = { resource: resources.daemonSets, namespace: names.calicoNamespace, name: names.nodeDaemonSet };
      const live = await kube.get(ref);
      const changed = JSON.parse(
        JSON.stringify(live)
          .replaceAll(/("name":"KUBERNETES_SERVICE_HOST","value":)"[^"]*"/g, `$1"${host}"`)
          .replaceAll(/("name":"KUBERNETES_SERVICE_PORT","value":)"[^"]*"/g, `$1"${port}"`),
      ) as KubeObject;
      return kube.replace(resources.daemonSets, changed, { fieldManager: names.operatorFieldManager });
    },
    felix: (spec, name = 'default') => {
      const body = { spec };
      const options = { fieldManager: names.operatorFieldManager };
      if (name === 'default')
        return kube.patch({ resource: resources.felixConfigurations, name }, { type: 'merge', body }, options);
      return kube.create(
        resources.felixConfigurations,
        { apiVersion: 'crd.projectcalico.org/v1', kind: 'FelixConfiguration', metadata: { name }, spec },
        options,
      );
    },
    annotateNode: (node, annotations) =>
      kube.patch({ resource: resources.nodes, name: node }, { type: 'merge', body: { metadata: { annotations } } }),
  };
}
