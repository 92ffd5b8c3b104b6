import {
  type CallOptions,
  type Kube,
  type KubeObject,
  type MeasuredNodes,
  nodeKindOf,
  nodeOf,
  type TestOutcome,
} from '#lib/kube/index.ts';
import { linkMtusUnder, names, type ObjectRef, resources, runsAgent } from '#lib/spec/index.ts';
import { felixAcceptsKernel } from './agents/kernel-gate.ts';
import { answersOf, type EndpointSigns } from './workloads/answering-endpoints.ts';
import { type NodeShape, nodeShape, runsOn } from './workloads/shapes.ts';

const passed: TestOutcome = { kind: 'passed' };
const failed = (because: string): TestOutcome => ({ kind: 'failed', because });
const notRun = (because: string): TestOutcome => ({ kind: 'not-run', because });

/**
 * The results of a probe on a sandbox's nodes. They have no kernel and no network, so the results follow from the same rules that drive the sandbox
 * (lib/sandbox/agents, lib/sandbox/workloads).
 */
export async function measureSandboxNodes(
  kube: Kube,
  endpoint: { host: string; port: string } | null,
  options: CallOptions = {},
): Promise<MeasuredNodes> {
  const [nodes, signs] = await Promise.all([nodesOf(kube, options), signsOf(kube, options)]);
  const { direct } = answersOf(signs);
  const answers = endpoint !== null && direct.has(`${endpoint.host}:${endpoint.port}`);
  const measured = nodes.map((node, index) => {
    const runs = runsOn(node);
    const fromHost =
      runs === 'nothing'
        ? notRun('no pod runs there')
        : endpoint === null
          ? notRun('there is no address to test')
          : answers
            ? passed
            : failed(`${endpoint.host}:${endpoint.port} does not answer`);
    const alone = runs === 'nothing' ? notRun('no pod runs there') : passed;
    return {
      node: node.metadata.name,
      ms: fromHost.kind === 'passed' ? 1 + (index % 4) : null,
      linkMtu:
        runs === 'nothing'
          ? null
          : Math.max(
              ...linkMtusUnder(typeof node.spec.providerID === 'string' ? node.spec.providerID : null).map(
                ({ mtu }) => mtu,
              ),
            ),
      tests: {
        'endpoint-from-host': fromHost,
        'endpoint-from-pod': runs === 'host network' ? notRun('there is no pod network yet') : fromHost,
        'services-from-host': alone,
        'services-from-pod': runs === 'host network' ? notRun('there is no pod network yet') : alone,
        programs: alone.kind === 'passed' ? programs(node) : alone,
        mounts: alone,
        interfaces: alone,
        'vlan-devices': alone,
        'service-proxy': alone,
        ipvs: alone,
        'health-port': alone,
        vxlan: alone,
        'full-size': alone,
        checksums: alone.kind === 'passed' ? checksums(node) : alone,
        // In a cloud its settings decide.
        ...(node.spec.providerID === undefined ? { 'foreign-source': alone } : {}),
        images: alone,
      },
    };
  });
  return { nodes: measured };
}

function programs({ metadata, status: { nodeInfo } }: NodeShape): TestOutcome {
  const architecture = metadata.labels['kubernetes.io/arch'];
  if (architecture !== undefined && !['amd64', 'arm64'].includes(architecture))
    return failed(`there are none for ${architecture}`);
  return felixAcceptsKernel(nodeInfo.kernelVersion, nodeInfo.osImage)
    ? passed
    : failed(`kernel ${nodeInfo.kernelVersion} refuses them`);
}

/** Fails for a virtual card that is known to corrupt checksums (pain D3). */
function checksums({ spec }: NodeShape): TestOutcome {
  return String(spec.providerID ?? '').startsWith('vsphere://')
    ? failed('no packet with a right sum of it arrives at any node')
    : passed;
}

/** Nodes that run an agent. */
async function nodesOf(kube: Kube, options: CallOptions): Promise<NodeShape[]> {
  const found: NodeShape[] = [];
  for await (const { items } of kube.list(resources.nodes, options))
    found.push(...items.filter((item) => runsAgent(nodeKindOf(nodeOf(item)))).map((item) => nodeShape.parse(item)));
  return found;
}

async function signsOf(kube: Kube, options: CallOptions): Promise<EndpointSigns> {
  const get = async (ref: ObjectRef) => {
    const object = await kube.get(ref, options);
    return object === null ? [] : [{ object }];
  };
  const configMap = (namespace: string, name: string) =>
    get({ resource: resources.configMaps, namespace, name }).then((found) => [`${namespace}/${name}`, found] as const);
  const [service, maps, slices] = await Promise.all([
    get({ resource: resources.services, namespace: 'default', name: 'kubernetes' }),
    Promise.all([configMap('kube-public', 'cluster-info'), configMap(names.systemNamespace, 'kubeadm-config')]),
    slicesOf(kube, options),
  ]);
  return {
    services: { get: (key) => (key === 'default/kubernetes' ? service[0] : undefined) },
    configMaps: { get: (key) => maps.find(([name]) => name === key)?.[1][0] },
    endpointSlices: { all: () => slices },
  };
}

async function slicesOf(kube: Kube, options: CallOptions): Promise<{ object: KubeObject }[]> {
  const found: { object: KubeObject }[] = [];
  for await (const { items } of kube.list(resources.endpointSlices, { ...options, namespace: 'default' }))
    found.push(...items.map((object) => ({ object })));
  return found;
}
