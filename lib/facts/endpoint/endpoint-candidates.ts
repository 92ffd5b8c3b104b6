import { isIP } from 'node:net';
import { hostAndPort } from '#lib/base/ip.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { fields, text } from '#lib/kube/read/lenient.ts';
import { type EndpointSource, names, type PlatformKind } from '#lib/spec/index.ts';
import { kubeadmConfigOf, serverIn } from '../proxy/kubeadm.ts';
import { embedded } from '../reading/embedded.ts';
import { evidence } from '../reading/evidence.ts';
import { type HostPort, parseHostPort, parseServer, parseServerUrl } from '../reading/host-port.ts';
import type { NodeArguments } from '../reading/node-arguments.ts';
import { flagOf } from '../reading/workload.ts';
import type { Evidence, NodeFact } from '../schema.ts';
import type { ApiServerPod, ControllerManagerPod } from './api-server-pods.ts';

/** Everything in a cluster that may show an address of the API server. */
export type SuggestionSigns = {
  readonly platform: PlatformKind;
  readonly kubeadmConfig: KubeObject | null;
  readonly clusterInfo: KubeObject | null;
  readonly proxyConfig: KubeObject | null;
  readonly infrastructure: KubeObject | null;
  readonly kopsController: KubeObject | null;
  readonly apiServerPods: readonly ApiServerPod[];
  readonly controllerManagerPods: readonly ControllerManagerPod[];
  readonly nodeArguments: readonly NodeArguments[];
  readonly apiServers: readonly string[];
  readonly clusterIPs: readonly string[];
  readonly serviceCIDRs: readonly string[];
  readonly nodes: readonly NodeFact[];
  /** The server in the administrator's kubeconfig; null: there is none. */
  readonly server: string | null;
};

export type Candidate = HostPort & {
  /** Why this address, as a phrase in lower case. */
  readonly because: string;
  readonly doubts: readonly string[];
  readonly evidence: Evidence[];
};

/** The address of each source of lib/spec/endpoint-sources.ts; null: this cluster does not have the source. */
export const candidates: Readonly<Record<EndpointSource, (signs: SuggestionSigns) => Candidate | null>> = {
  'proxy-local': () => ({
    host: names.proxyOfMke,
    port: 6444,
    because: 'every MKE node runs a reverse proxy to the API servers under this name',
    doubts: [],
    evidence: [],
  }),
  'openshift-infrastructure': ({ infrastructure }) => {
    if (infrastructure === null) return null;
    const { apiServerURL, apiServerInternalURI } = openshift.parse(infrastructure).status;
    const external = parseServerUrl(apiServerURL);
    const internal = parseServerUrl(apiServerInternalURI);
    const seen = (field: string, value: string) => [evidence(infrastructure, `status.${field}`, value)];
    if (!external) {
      const because = 'Infrastructure/cluster names it as the API for its nodes';
      return found(internal, because, seen('apiServerInternalURI', apiServerInternalURI));
    }
    const doubts = internal ? [`the cluster's own nodes use ${internal.host}`] : [];
    const because = 'Infrastructure/cluster names it as the API server';
    return { ...external, because, doubts, evidence: seen('apiServerURL', apiServerURL) };
  },
  'kops-internal': (signs) => {
    const cluster = kopsCluster(signs);
    if (cluster === null) return null;
    const port =
      signs.apiServers.map((server) => parseHostPort(server, 443)?.port).find((one) => one !== undefined) ?? 443;
    const doubts = cluster.name.endsWith('.k8s.local')
      ? ['a gossip cluster has this name in the hosts file of its nodes only']
      : [];
    const because = 'kOps makes this name for the nodes of the cluster';
    return { host: `api.internal.${cluster.name}`, port, because, doubts, evidence: [cluster.seen] };
  },
  'kubeadm-endpoint': ({ kubeadmConfig }) => {
    const given = kubeadmConfigOf(kubeadmConfig)?.controlPlaneEndpoint ?? '';
    const seen = seenIn(kubeadmConfig, 'data.ClusterConfiguration.controlPlaneEndpoint', given);
    return found(parseHostPort(given, 6443), 'kubeadm was given it as controlPlaneEndpoint', seen);
  },
  'cluster-info': ({ clusterInfo }) => {
    const server = serverIn(clusterInfo, 'kubeconfig') ?? '';
    const seen = seenIn(clusterInfo, 'data.kubeconfig.clusters[0].cluster.server', server);
    return found(parseServerUrl(server), 'kube-public/ConfigMap/cluster-info tells it to nodes that join', seen);
  },
  'kube-proxy-kubeconfig': ({ proxyConfig }) => {
    const key = ['kubeconfig.conf', 'kubeconfig'].find((one) => serverIn(proxyConfig, one) !== null);
    const server = (key && serverIn(proxyConfig, key)) ?? '';
    const seen = seenIn(proxyConfig, `data['${key ?? ''}'].clusters[0].cluster.server`, server);
    return found(parseServerUrl(server), 'the service proxy of every node reaches the API server there', seen);
  },
  'service-account-issuer': ({ apiServerPods: pods }) => {
    const first = pods
      .map((pod) => ({ pod, address: parseServerUrl(pod.issuer ?? '') }))
      .find(({ address }) => address !== null && !address.host.endsWith('.svc'));
    if (!first) return null;
    const because = 'the API server was given it as its public name (--service-account-issuer)';
    return found(first.address, because, [issuerOf(first.pod)]);
  },
  'registration-address': ({ nodeArguments: started }) => {
    const first = started
      .map((one) => ({ one, address: parseServerUrl(flagOf(one.arguments, 'server') ?? '') }))
      .find(({ address }) => address !== null);
    if (!first?.address) return null;
    const { one, address } = first;
    const seen = evidence(`Node/${one.node}`, `metadata.annotations['${one.key}'] --server`, hostAndPort(address));
    // Agents of RKE2 register at port 9345; the API server listens at 6443 of the same address.
    const port = address.port === 9345 ? 6443 : address.port;
    return found({ host: address.host, port }, 'nodes register there (--server)', [seen]);
  },
  kubeconfig: ({ server }) => {
    const address = parseServer(server);
    if (address === null) return null;
    const seen = evidence('kubeconfig', 'clusters[].cluster.server', hostAndPort(address));
    const doubts = ['nodes may have to use another name than you do'];
    return { ...address, because: 'your kubeconfig reaches the API server there', doubts, evidence: [seen] };
  },
  'single-api-server': ({ apiServers }) => {
    const [only, ...others] = apiServers;
    const address = only === undefined || others.length > 0 ? null : parseHostPort(only, 6443);
    if (address === null) return null;
    const doubts = ['it is right only while this machine keeps its address, which must be static'];
    const seen = evidence('default/EndpointSlice/kubernetes', 'endpoints[0].addresses', only);
    return { ...address, because: 'it is the address of the only API server', doubts, evidence: [seen] };
  },
};

const openshift = fields({ status: fields({ apiServerURL: text, apiServerInternalURI: text }) });

function found(address: HostPort | null, because: string, seen: Evidence[]): Candidate | null {
  return address && { ...address, because, doubts: [], evidence: seen };
}

function seenIn(object: KubeObject | null, path: string, value: string): Evidence[] {
  return object === null ? [] : [evidence(object, path, value)];
}

function issuerOf({ object, issuer }: ApiServerPod): Evidence {
  return evidence(object, 'spec.containers[kube-apiserver].command --service-account-issuer', issuer);
}

/** The name of a kOps cluster, from the API server's flags, the kops-controller's configuration, the controller manager's `--cluster-name`, or `https://api.NAME` in a kubeconfig. */
function kopsCluster({
  apiServerPods: pods,
  kopsController,
  controllerManagerPods: managers,
  server,
}: SuggestionSigns): { name: string; seen: Evidence } | null {
  const prefix = 'api.internal.';
  for (const pod of pods) {
    const host = parseServerUrl(pod.issuer ?? '')?.host;
    if (host?.startsWith(prefix)) return { name: host.slice(prefix.length), seen: issuerOf(pod) };
  }
  const configured = embedded(kopsController, 'config.yaml')?.clusterName;
  if (kopsController !== null && typeof configured === 'string' && configured !== '')
    return { name: configured, seen: evidence(kopsController, "data['config.yaml'].clusterName", configured) };
  const manager = managers.find(({ clusterName }) => clusterName !== null);
  if (manager?.clusterName)
    return {
      name: manager.clusterName,
      seen: evidence(
        manager.object,
        'spec.containers[kube-controller-manager].command --cluster-name',
        manager.clusterName,
      ),
    };
  // `kops export kubeconfig --internal` writes the internal name.
  const host = parseServer(server)?.host;
  const named = host && [prefix, 'api.'].find((one) => host.startsWith(one));
  return host && named && isIP(host) === 0
    ? { name: host.slice(named.length), seen: evidence('kubeconfig', 'clusters[].cluster.server', host) }
    : null;
}
