import { isIP } from 'node:net';
import { canonicalAddress, cloudOf, type EndpointSource, platformIn, platforms } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { parseHostPort, whyNoEndpoint } from '../reading/host-port.ts';
import { nodeArguments } from '../reading/node-arguments.ts';
import { clusterInfo, kopsController, openshiftInfrastructure, tracked } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';
import { apiServerPods, controllerManagerPods } from './api-server-pods.ts';
import { type Candidate, candidates, type SuggestionSigns } from './endpoint-candidates.ts';

type Suggestion = NonNullable<Facts['endpoint']['suggested']> & NonNullable<Facts['endpoint']['suggestedFrom']>;

export const endpointSuggestion = defineCollector({
  id: 'endpoint-suggestion',
  provides: [],
  reads: {
    kubeadmConfig: tracked.kubeadmConfig,
    clusterInfo,
    proxyConfig: tracked.kubeProxyConfig,
    infrastructure: openshiftInfrastructure,
    kopsController,
    apiServerPods,
    controllerManagerPods,
    nodeArguments,
  },
  collect: (read, facts, { choices, server }) => ({
    endpoint: suggestion(
      suggest({
        platform: platformIn(facts, choices),
        kubeadmConfig: read.kubeadmConfig.value,
        clusterInfo: read.clusterInfo.value,
        proxyConfig: read.proxyConfig.value,
        infrastructure: read.infrastructure.value,
        kopsController: read.kopsController.value,
        apiServerPods: read.apiServerPods.value,
        controllerManagerPods: read.controllerManagerPods.value,
        nodeArguments: read.nodeArguments.value,
        apiServers: facts.endpoint.apiServers,
        clusterIPs: facts.endpoint.clusterIPs,
        serviceCIDRs: facts.cluster.serviceCIDRs,
        nodes: facts.nodes,
        server,
      }),
    ),
  }),
});

function suggestion(made: Suggestion | null): Pick<Facts['endpoint'], 'suggested' | 'suggestedFrom'> {
  if (made === null) return { suggested: null, suggestedFrom: null };
  const { source, evidence, ...suggested } = made;
  return { suggested, suggestedFrom: { source, evidence } };
}

/** Sources whose names the platform gives to its API. Only nodes or the cluster's network resolve them, so they are proposed and not tested from here. */
const namedByPlatform: ReadonlySet<EndpointSource> = new Set(['proxy-local', 'kops-internal']);

/** The first address of the platform's sources that can be an endpoint, with doubts; null: there is none. */
export function suggest(signs: SuggestionSigns): Suggestion | null {
  for (const source of platforms[signs.platform].endpoint) {
    const candidate = candidates[source](signs);
    if (candidate === null || (!namedByPlatform.has(source) && whyNoEndpoint(candidate, signs) !== null)) continue;
    return { ...candidate, source, doubts: [...candidate.doubts, ...doubtsAbout(source, candidate, signs)] };
  }
  return null;
}

function doubtsAbout(source: EndpointSource, { host }: Candidate, { apiServers, nodes }: SuggestionSigns): string[] {
  // In whatever notation each of them is written.
  const address = canonicalAddress(host);
  const isHost = (one: string | undefined) =>
    one === host || (one !== undefined && address !== null && canonicalAddress(one) === address);
  const own = nodes.find(({ addresses }) => addresses.some(isHost));
  const cloud = own && cloudOf(own.providerID);
  const servers = apiServers.map((server) => parseHostPort(server, 6443)?.host);
  return [
    ...(servers.length > 1 && servers.some(isHost)
      ? [`it is one of ${servers.length} API servers: when it is away, so is the endpoint`]
      : []),
    ...(servers.length === 1 && servers.some(isHost) && source !== 'single-api-server'
      ? ['it is the address of the only API server: it is right only as long as that machine keeps it']
      : []),
    ...(cloud ? [`it is the address of node ${own.name}, which ${cloud.title} may change`] : []),
    ...(isIP(host) === 0 && !host.includes('.')
      ? ['a name without a dot resolves only where a search domain or a hosts file knows it']
      : []),
  ];
}
