import { isIP } from 'node:net';
import type { KubeObject } from '#lib/kube/index.ts';
import { cloudOf, type EndpointSource, type PlatformKind, platforms } from '#lib/spec/index.ts';
import { type ApiServerPod, apiServerPods } from './api-server-pods.ts';
import { defineCollector } from './collector.ts';
import { embedded } from './embedded.ts';
import { type HostPort, parseHostPort, parseServer, parseServerUrl, whyNotDialled } from './host-port.ts';
import { kubeadmConfigOf, serverIn } from './kubeadm.ts';
import { fields, text } from './lenient.ts';
import { type NodeArguments, nodeArguments } from './node-arguments.ts';
import type { Facts, NodeFact } from './schema.ts';
import { clusterInfo, kopsController, openshiftInfrastructure, tracked } from './sources.ts';
import { flagOf } from './workload.ts';

export type SuggestionSigns = {
  readonly platform: PlatformKind;
  readonly kubeadmConfig: KubeObject | null;
  readonly clusterInfo: KubeObject | null;
  readonly proxyConfig: KubeObject | null;
  readonly infrastructure: KubeObject | null;
  readonly kopsController: KubeObject | null;
  readonly apiServerPods: readonly ApiServerPod[];
  readonly nodeArguments: readonly NodeArguments[];
  readonly apiServers: readonly string[];
  readonly clusterIPs: readonly string[];
  readonly serviceCIDRs: readonly string[];
  readonly nodes: readonly NodeFact[];
  /** The server in the administrator's kubeconfig. */
  readonly server: string | null;
};

type Suggestion = NonNullable<Facts['endpoint']['suggested']>;
type Candidate = HostPort & { readonly because: string; readonly doubts: readonly string[] };

export const endpointSuggestion = defineCollector({
  id: 'endpoint-suggestion',
  tells: [],
  reads: {
    kubeadmConfig: tracked.kubeadmConfig,
    clusterInfo,
    proxyConfig: tracked.kubeProxyConfig,
    infrastructure: openshiftInfrastructure,
    kopsController,
    apiServerPods,
    nodeArguments,
  },
  collect: (read, facts, { choices, server }) => ({
    endpoint: {
      suggested: suggest({
        platform: choices?.platform ?? facts.platform.kind,
        kubeadmConfig: read.kubeadmConfig.value,
        clusterInfo: read.clusterInfo.value,
        proxyConfig: read.proxyConfig.value,
        infrastructure: read.infrastructure.value,
        kopsController: read.kopsController.value,
        apiServerPods: read.apiServerPods.value,
        nodeArguments: read.nodeArguments.value,
        apiServers: facts.endpoint.apiServers,
        clusterIPs: facts.endpoint.clusterIPs,
        serviceCIDRs: facts.cluster.serviceCIDRs,
        nodes: facts.nodes,
        server,
      }),
    },
  }),
});

/** The first address of the platform's sources that could be an endpoint at all, with what speaks against it. */
export function suggest(signs: SuggestionSigns): Suggestion | null {
  for (const source of platforms[signs.platform].endpoint) {
    const candidate = candidates[source](signs);
    if (candidate === null || (source !== 'proxy-local' && whyNotDialled(candidate, signs) !== null)) continue;
    return { ...candidate, doubts: [...candidate.doubts, ...doubtsAbout(candidate, signs)] };
  }
  return null;
}

const candidates: Readonly<Record<EndpointSource, (signs: SuggestionSigns) => Candidate | null>> = {
  'proxy-local': () => ({
    host: 'proxy.local',
    port: 6444,
    because: 'every MKE node runs a reverse proxy to the API servers under this name',
    doubts: [],
  }),
  'openshift-infrastructure': ({ infrastructure }) => {
    if (infrastructure === null) return null;
    const { apiServerURL, apiServerInternalURI } = openshift.parse(infrastructure).status;
    const external = parseServerUrl(apiServerURL);
    const internal = parseServerUrl(apiServerInternalURI);
    if (!external)
      return (
        internal && { ...internal, because: 'Infrastructure/cluster names it as the API for its nodes', doubts: [] }
      );
    const doubts = internal ? [`the cluster's own nodes use ${internal.host}`] : [];
    return { ...external, because: 'Infrastructure/cluster names it as the API server', doubts };
  },
  'kops-internal': (signs) => {
    const name = kopsClusterName(signs);
    if (name === null) return null;
    const port =
      signs.apiServers.map((server) => parseHostPort(server, 443)?.port).find((one) => one !== undefined) ?? 443;
    const doubts = name.endsWith('.k8s.local')
      ? ['a gossip cluster has this name in the hosts file of its nodes only']
      : [];
    return { host: `api.internal.${name}`, port, because: 'kOps makes this name for the nodes of the cluster', doubts };
  },
  'kubeadm-endpoint': ({ kubeadmConfig }) =>
    found(
      parseHostPort(kubeadmConfigOf(kubeadmConfig)?.controlPlaneEndpoint ?? '', 6443),
      'kubeadm was given it as controlPlaneEndpoint',
    ),
  'cluster-info': ({ clusterInfo: object }) =>
    found(
      parseServerUrl(serverIn(object, 'kubeconfig') ?? ''),
      'kube-public/ConfigMap/cluster-info tells it to nodes that join',
    ),
  'kube-proxy-kubeconfig': ({ proxyConfig }) =>
    found(
      parseServerUrl(serverIn(proxyConfig, 'kubeconfig.conf') ?? serverIn(proxyConfig, 'kubeconfig') ?? ''),
      'the service proxy of every node reaches the API server there',
    ),
  'service-account-issuer': ({ apiServerPods: pods }) =>
    found(
      pods
        .map(({ issuer }) => parseServerUrl(issuer ?? ''))
        .find((one) => one !== null && !one.host.endsWith('.svc')) ?? null,
      'the API server was given it as its public name (--service-account-issuer)',
    ),
  'registration-address': ({ nodeArguments: started }) => {
    const told = started
      .map((one) => parseServerUrl(flagOf(one.arguments, 'server') ?? ''))
      .find((one) => one !== null);
    // RKE2's agents register at 9345 of the same address; the API server listens on 6443.
    return found(
      told ? { host: told.host, port: told.port === 9345 ? 6443 : told.port } : null,
      'nodes register there (--server)',
    );
  },
  kubeconfig: ({ server }) => {
    const address = parseServer(server);
    return address && isIP(address.host) === 0
      ? {
          ...address,
          because: 'your kubeconfig reaches the API server there',
          doubts: ['nodes may have to use another name than you do'],
        }
      : null;
  },
  'single-api-server': ({ apiServers }) => {
    const [only, ...others] = apiServers;
    const address = only === undefined || others.length > 0 ? null : parseHostPort(only, 6443);
    return (
      address && {
        ...address,
        because: 'it is the address of the only API server',
        doubts: ['it is right only as long as this machine keeps this address: it must be static'],
      }
    );
  },
};

const openshift = fields({ status: fields({ apiServerURL: text, apiServerInternalURI: text }) });

function found(address: HostPort | null, because: string): Candidate | null {
  return address && { ...address, because, doubts: [] };
}

/** From the API server's flags, the kops-controller's configuration, or `https://api.<clustername>` in a kubeconfig. */
function kopsClusterName({ apiServerPods: pods, kopsController: object, server }: SuggestionSigns): string | null {
  const issued = pods
    .map(({ issuer }) => parseServerUrl(issuer ?? '')?.host)
    .find((host) => host?.startsWith('api.internal.'));
  if (issued) return issued.slice('api.internal.'.length);
  const configured = embedded(object, 'config.yaml')?.clusterName;
  if (typeof configured === 'string' && configured !== '') return configured;
  const host = parseServer(server)?.host;
  return host?.startsWith('api.') && isIP(host) === 0 ? host.slice('api.'.length) : null;
}

function doubtsAbout({ host, because }: Candidate, { apiServers, nodes }: SuggestionSigns): string[] {
  const own = nodes.find(({ addresses }) => addresses.includes(host));
  const cloud = own && cloudOf(own.providerID);
  const servers = apiServers.map((server) => parseHostPort(server, 6443)?.host);
  const saysAlone = because.includes('only API server');
  return [
    ...(servers.length > 1 && servers.includes(host)
      ? [`it is one of ${servers.length} API servers: when it is away, so is the endpoint`]
      : []),
    ...(servers.length === 1 && servers.includes(host) && !saysAlone
      ? ['it is the address of the only API server: it is right only as long as that machine keeps it']
      : []),
    ...(cloud ? [`it is the address of node ${own.name}, which ${cloud.title} may change`] : []),
    ...(isIP(host) === 0 && !host.includes('.')
      ? ['a name without a dot resolves only where a search domain or a hosts file knows it']
      : []),
  ];
}
