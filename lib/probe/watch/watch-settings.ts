import { isIP } from 'node:net';
import {
  clusterDnsOf,
  containerNamed,
  isTrue,
  type Kube,
  KubeError,
  nodeKindOf,
  nodeOf,
  serviceOf,
  workloadOf,
} from '#lib/kube/index.ts';
import {
  agentDaemonSets,
  labelledSystem,
  names,
  pullSecretsOf,
  resources,
  runsAgent,
  servicePace,
} from '#lib/spec/index.ts';
import type { PullSecret } from '../objects/settings.ts';
import type { WatchSettings } from './watch-objects.ts';

/** The image in which nodes were tested; null: they were not. */
export type TestedIn = (signal: AbortSignal) => Promise<string | null>;

/** What is asked on this cluster: its Services, and which of its nodes ask. `of`: how many nodes there are. Rejects if one is not known. */
export async function watchSettings(
  kube: Kube,
  testedIn: TestedIn,
  signal: AbortSignal,
): Promise<{ settings: WatchSettings; of: number }> {
  const agent = await agentImage(kube, signal);
  const image = agent.image ?? (await testedIn(signal));
  if (image === null) throw new KubeError('unsupported', "The agent's image is not known.");
  const api = serviceOf(
    (await kube.get({ resource: resources.services, namespace: 'default', name: 'kubernetes' }, { signal })) ?? {},
  );
  const port = api.spec.ports[0]?.port ?? null;
  if (isIP(api.spec.clusterIP) === 0 || port === null)
    throw new KubeError('unsupported', 'Service default/kubernetes has no address.');
  const [all, { dns, nodePort }] = await Promise.all([nodesOf(kube, signal), otherServices(kube, signal)]);
  const asked = (addresses: readonly string[]) => addresses.find((one) => isIP(one) === nodePort?.family) ?? null;
  if (all.ready.length === 0) throw new KubeError('unsupported', 'No node is ready to ask Services.');
  const { intervalMs, asking } = servicePace(all.ready.length);
  return {
    settings: {
      image,
      intervalMs,
      api: { host: api.spec.clusterIP, port },
      dns,
      nodePort: nodePort?.port ?? null,
      nodes: spread(all.ready, asking).map(({ name, addresses }) => ({ name, address: asked(addresses) })),
      asking: asking === all.ready.length && all.areThoseOfLabel ? 'all' : 'sample',
      pullSecrets: agent.pullSecrets,
    },
    of: all.of,
  };
}

/** The agent's image, with the Secrets that its DaemonSet names for pulling. */
async function agentImage(
  kube: Kube,
  signal: AbortSignal,
): Promise<{ image: string | null; pullSecrets: PullSecret[] }> {
  for (const { namespace, name } of agentDaemonSets) {
    const agent = await kube.get({ resource: resources.daemonSets, namespace, name }, { signal });
    const image = agent && containerNamed(workloadOf(agent), names.nodeContainer)?.image;
    if (image) return { image, pullSecrets: pullSecretsOf(agent).map((secret) => ({ namespace, name: secret })) };
  }
  return { image: null, pullSecrets: [] };
}

/** `count` elements, evenly spread over the list. */
function spread<T>(all: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);
}

type Nodes = {
  /** The nodes that can be tested now, zone by zone, so that a sample contains each zone. */
  readonly ready: readonly { readonly name: string; readonly addresses: readonly string[] }[];
  /** The number of nodes that can run an agent. */
  readonly of: number;
  /** Whether the label that a DaemonSet uses selects exactly the ready nodes. */
  readonly areThoseOfLabel: boolean;
};

/** A node that reports itself not ready answers nobody, and a virtual node never runs our pods. */
async function nodesOf(kube: Kube, signal: AbortSignal): Promise<Nodes> {
  let [of, ofLabel] = [0, 0];
  const found: { name: string; zone: string; addresses: string[]; isOfLabel: boolean }[] = [];
  for await (const { items } of kube.list(resources.nodes, { signal }))
    for (const item of items) {
      const { labels = {}, name = '' } = item.metadata;
      const node = nodeOf(item);
      const isOfLabel = labelledSystem(labels) === 'linux';
      if (isOfLabel) ofLabel += 1;
      if (!runsAgent(nodeKindOf(node))) continue;
      of += 1;
      const { conditions, addresses } = node.status;
      if (conditions.some(({ type }) => type === 'Ready') && !isTrue(conditions, 'Ready')) continue;
      const ips = addresses.map(({ address }) => address).filter((address) => isIP(address) !== 0);
      found.push({ name, zone: labels[names.zoneLabel] ?? '', addresses: ips, isOfLabel });
    }
  found.sort((one, other) => one.zone.localeCompare(other.zone) || one.name.localeCompare(other.name));
  const areThoseOfLabel = ofLabel === found.length && found.every((one) => one.isOfLabel);
  return { ready: found.map(({ name, addresses }) => ({ name, addresses })), of, areThoseOfLabel };
}

type NodePort = { readonly port: number; readonly family: 4 | 6 };

/** Cluster DNS, and a node port that every node forwards to any backend, at its addresses of the first family that the Service has. */
async function otherServices(
  kube: Kube,
  signal: AbortSignal,
): Promise<{ dns: WatchSettings['dns']; nodePort: NodePort | null }> {
  let dns: WatchSettings['dns'] = null;
  let nodePort: NodePort | null = null;
  for await (const { items } of kube.list(resources.services, { signal })) {
    for (const item of items) {
      const { ports, externalTrafficPolicy, type, clusterIP } = serviceOf(item).spec;
      dns ??= clusterDnsOf(item);
      if (!['NodePort', 'LoadBalancer'].includes(type) || externalTrafficPolicy === 'Local') continue;
      const port = ports.find((one) => one.protocol !== 'UDP' && one.nodePort !== null)?.nodePort;
      if (port) nodePort ??= { port, family: isIP(clusterIP) === 6 ? 6 : 4 };
    }
    if (dns !== null && nodePort !== null) break;
  }
  return { dns, nodePort };
}
