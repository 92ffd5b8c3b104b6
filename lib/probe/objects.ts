import type { V1DaemonSet, V1Namespace, V1ServiceAccount } from '@kubernetes/client-node';
import type { KubeObject, ObjectToWrite } from '#lib/kube/index.ts';
import { type MissingRule, names, resources } from '#lib/spec/index.ts';
import { embeddingPrograms } from './embedding-programs.ts';
import { strides } from './partners/pairs.ts';
import { choosePartners, type Partners } from './partners/partners.ts';
import { questionAbout } from './scripts/question-about.ts';
import { podScript, probeScript, withoutComments, withoutPart } from './scripts/scripts.ts';

export const probeNames = {
  namespace: 'signalbox-probe',
  account: 'signalbox-probe',
  /** On the host's network. */
  host: 'signalbox-probe',
  /** On the pod network. */
  pod: 'signalbox-probe-pod',
  /** One container per image. */
  images: 'signalbox-probe-images',
  containers: { host: 'probe', pod: 'probe-pod' },
} as const;

/** One client creates the pods of all DaemonSets, 20 a second (kube-controller-manager › --kube-api-qps): the wait of the last pod, and some more. */
const madeWithinMs = (settings: Pods) => 60 * settings.addresses.length * waysOf(settings).length;
type Pods = Pick<ProbeSettings, 'addresses' | 'podNetwork' | 'images'>;

/**
 * The time that a pod has to remove its devices. The namespace controller waits half of it before it looks again (kubernetes
 * pkg/controller/namespace: syncNamespaceFromKey).
 */
export const secondsToEnd = 3;

/** How long pods test before they only wait to be deleted; with many nodes the last pods start late. */
const secondsToLive = (settings: Pods) => 300 + Math.ceil(madeWithinMs(settings) / 1_000);

/** How long nodes may take to report by default, in ms: images may have to be pulled, and creating many pods takes time. */
export const usualPatienceMs = (settings: Pods) => 180_000 + madeWithinMs(settings);

type HostAndPort = { readonly host: string; readonly port: string };

export type ProbeSettings = {
  /** From 256 to 65535, different for each preflight: names of devices, test addresses and VXLAN numbers are derived from it. */
  readonly run: number;
  readonly image: string;
  readonly endpoint: HostAndPort | null;
  /** At their ClusterIPs; left out: none is known. */
  readonly services?: { readonly api: HostAndPort | null; readonly dns: HostAndPort | null };
  /** Addresses of the API servers behind the API's Service; left out: none is known. */
  readonly apiServers?: readonly HostAndPort[];
  /** The IPv4 address of each node, in the order of the question; null: it has none. */
  readonly addresses: readonly (string | null)[];
  /** The IPv6 address of each node, if Calico uses VXLAN between these too; left out: it does not. */
  readonly addressesV6?: readonly (string | null)[];
  readonly vxlanPort: number;
  /** Whether to send packets with another node's address, which networks may take for an attack. */
  readonly dsr?: boolean;
  /** The folder in which Calico mounts cgroup2. */
  readonly cgroupFolder: string;
  /** The folder that the agent's pod creates; left out: none, or it exists. */
  readonly flexVolumeFolder?: string;
  /** Labels of the nodes to test; empty: all nodes. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /**
   * How DaemonSets select their nodes: by these labels and Linux's, or by `names`, where a node's label is wrong about its system, or an untested node
   * has the labels. Left out: by labels.
   */
  readonly select?: 'labels' | 'names';
  /** Who tests with whom, by index in `addresses`; left out: all are one group. */
  readonly partners?: Partners;
  /** Names of the nodes in the same order; required if there are several groups, or if DaemonSets select nodes by them. */
  readonly names?: readonly string[];
  /** Whether there is a pod network. */
  readonly podNetwork: 'there' | 'not-yet';
  /** Further images of the plan: they are pulled, but not run. */
  readonly images?: readonly string[];
  /** Secrets for pulling, which are copied under the same name into the probe's namespace. */
  readonly pullSecrets?: readonly PullSecret[];
};

export type PullSecret = { readonly namespace: string; readonly name: string };

/** Everything that a preflight creates, in order. It is deleted in the reverse order. */
export function probeObjects(settings: ProbeSettings): KubeObject[] {
  const labels = { [names.managedByLabel]: names.fieldManager };
  // Their content is read when they are copied.
  const secrets = (settings.pullSecrets ?? []).map(({ name }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: probeNames.namespace, labels },
  }));
  const daemonSets = waysOf(settings).flatMap((way) =>
    groupsOf(way, settings).map((_, group) => daemonSet(way, settings, group)),
  );
  return [...namespaceWithAccount(probeNames), ...secrets, ...daemonSets];
}

/** The ids of all these objects, as `namespace/Kind/name`. */
export function probeObjectIds(settings: ProbeSettings): string[] {
  return probeObjects(settings).map(({ kind, metadata: { namespace, name } }) =>
    [namespace, kind, name].filter((part) => part !== undefined).join('/'),
  );
}

/** The kinds of pods, of which each node gets one each. */
export function waysOf({ podNetwork, images = [] }: Pick<ProbeSettings, 'podNetwork' | 'images'>): PodKind[] {
  return [
    'host',
    ...(podNetwork === 'there' ? (['pod'] as const) : []),
    ...(images.length > 0 ? (['images'] as const) : []),
  ];
}

/** The kind of pod of a DaemonSet, by its name; each group of nodes has its own DaemonSet for the host. Undefined: it is not the probe's. */
export function wayOf(daemonSet: string): PodKind | undefined {
  const first = daemonSet.replace(/-\d+$/, '');
  return (['host', 'pod', 'images'] as const).find((way) => probeNames[way] === first);
}

/** The indexes in `addresses` of the nodes on which the DaemonSet has a pod. */
export function nodeIndexesOf(
  daemonSet: string,
  settings: Pick<ProbeSettings, 'addresses' | 'partners' | 'select'>,
): readonly number[] {
  const group = Number(/-(\d+)$/.exec(daemonSet)?.[1] ?? 1) - 1;
  return groupsOf(wayOf(daemonSet) ?? 'host', settings)[group] ?? [];
}

/** The script of a pod. With several groups of nodes without comments and unneeded parts, because the pods are many. */
export function scriptOf(way: 'host' | 'pod', settings: Pick<ProbeSettings, 'addresses' | 'partners' | 'dsr'>): string {
  if (partnersAmong(settings).groups.length === 1) return commented[way];
  return (settings.dsr ? bare : bareWithoutDsr)[way];
}

const commented = { host: probeScript, pod: podScript };
const bare = { host: withoutComments(probeScript), pod: withoutComments(podScript) };
const bareWithoutDsr = { ...bare, host: withoutComments(withoutPart('dsr', probeScript)) };

type Grouped = Pick<ProbeSettings, 'addresses' | 'partners'>;

function partnersAmong({ addresses, partners }: Grouped): Partners {
  return partners ?? choosePartners(addresses.map((address) => ({ address })));
}

/**
 * The indexes of the nodes on which each DaemonSet of this kind has a pod. Nodes that test with nobody belong to the first. One DaemonSet is enough
 * where all nodes get the same pod, unless it names its nodes: each change of its status writes all of the names again (etcd-history.ts).
 */
function groupsOf(way: PodKind, settings: Grouped & Pick<ProbeSettings, 'select'>): readonly (readonly number[])[] {
  const { groups, others } = partnersAmong(settings);
  if (way !== 'host' && settings.select !== 'names') return [[...groups.flat(), ...others]];
  return groups.map((group, index) => [...group, ...(index === 0 ? others : [])]);
}

/** A namespace that allows pods on the host's network, and an account in it without any rights. */
export function namespaceWithAccount({ namespace, account }: { readonly namespace: string; readonly account: string }) {
  const labels = { [names.managedByLabel]: names.fieldManager };
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'privileged' } },
    } satisfies ObjectToWrite<V1Namespace>,
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account, namespace, labels },
      automountServiceAccountToken: false,
    } satisfies ObjectToWrite<V1ServiceAccount>,
  ];
}

export type PodKind = 'host' | 'pod' | 'images';

/** The label by which DaemonSets select Linux nodes. */
export const linuxLabel = { 'kubernetes.io/os': 'linux' } as const;

function daemonSet(way: PodKind, settings: ProbeSettings, group: number): ObjectToWrite<V1DaemonSet> {
  const name = group === 0 ? probeNames[way] : `${probeNames[way]}-${group + 1}`;
  const labels = { 'app.kubernetes.io/name': name, [names.managedByLabel]: names.fieldManager };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: probeNames.namespace, labels },
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      // All at once, because they serve nothing.
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: probeNames.account,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: secondsToEnd,
          nodeSelector: { ...(settings.select === 'names' ? {} : linuxLabel), ...settings.nodeSelector },
          ...affinityOf(way, settings, group),
          tolerations: [{ operator: 'Exists' }],
          // The node's resolver, as the agent uses it before cluster DNS works. No hostPath volume: docs/security.md says why.
          ...(way === 'host' ? { hostNetwork: true, hostPID: true, dnsPolicy: 'Default' } : {}),
          // On the host's network, so that images can be pulled before there is a pod network.
          ...(way === 'images' ? { hostNetwork: true } : {}),
          ...((settings.pullSecrets ?? []).length > 0
            ? { imagePullSecrets: settings.pullSecrets?.map(({ name }) => ({ name })) ?? [] }
            : {}),
          containers:
            way === 'images' ? imageContainers(settings.images ?? []) : [scriptContainer(way, settings, group)],
        },
      },
    },
  };
}

/**
 * The pods of a DaemonSet name one node each, whatever is written here (kubernetes pkg/controller/daemon/util:
 * ReplaceDaemonSetPodNodeNameNodeAffinity).
 */
function affinityOf(way: PodKind, settings: ProbeSettings, group: number) {
  const groups = groupsOf(way, settings);
  if (settings.select !== 'names' && groups.length === 1) return {};
  return { affinity: onNodes((groups[group] ?? []).flatMap((index) => settings.names?.[index] ?? [])) };
}

function scriptContainer(way: 'host' | 'pod', settings: ProbeSettings, group: number) {
  return {
    name: probeNames.containers[way],
    image: settings.image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/bin/bash', '-c', scriptOf(way, settings)],
    env: environmentOf(probeEnvironment(way, settings, group)),
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '256Mi' } },
    securityContext: way === 'host' ? { privileged: true } : withoutRights,
  };
}

/** The command exists in no image: the image is pulled, the container cannot start, and nothing of the image runs. */
function imageContainers(images: readonly string[]) {
  return images.map((image, index) => ({
    name: `image-${index}`,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/signalbox-runs-nothing'],
    resources: { requests: { cpu: '1m', memory: '4Mi' }, limits: { memory: '32Mi' } },
    securityContext: withoutRights,
  }));
}

/** One term per node: `metadata.name` takes a single value (kubernetes.io/docs › Assigning Pods to Nodes › matchFields). */
export function onNodes(nodes: readonly string[]) {
  const nodeSelectorTerms = nodes.map((name) => ({
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
  }));
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}

export const withoutRights = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** Variables as a container lists them, taken literally: `$(NAME)` in a value is not expanded. */
export function environmentOf(environment: Readonly<Record<string, string>>): { name: string; value: string }[] {
  // Kubernetes turns two dollar signs into one.
  return Object.entries(environment).map(([name, value]) => ({ name, value: value.replaceAll('$', '$$$$') }));
}

/** The script's environment; its head explains each variable. */
export function probeEnvironment(way: 'host' | 'pod', settings: ProbeSettings, group = 0): Record<string, string> {
  const { endpoint, apiServers = [], services = noServices } = settings;
  const indexes = way === 'host' ? (partnersAmong(settings).groups[group] ?? []) : [];
  const listed = (addresses: Addresses = []) =>
    addresses.length === 0 ? '' : indexes.map((index) => addresses[index] ?? '-').join(' ');
  return {
    WAY: way,
    RUN: String(settings.run),
    ENDPOINT: hostAndPortOf(endpoint),
    API_SERVICE: hostAndPortOf(services.api),
    DNS: hostAndPortOf(services.dns),
    QUESTION: services.dns === null ? '' : questionAbout(services.api?.host ?? services.dns.host),
    API_SERVERS: apiServers.map(({ host, port }) => `${host},${port}`).join(' '),
    ADDRESSES: listed(settings.addresses),
    ADDRESSES_V6: listed(settings.addressesV6),
    STRIDES: strides(indexes.length).join(' '),
    BRIDGES: bridgesOf(settings, indexes).join(' '),
    DSR: settings.dsr ? 'yes' : '',
    PORT: String(settings.vxlanPort),
    CGROUP: settings.cgroupFolder,
    FLEXVOLUME: settings.flexVolumeFolder ?? '',
    EMBEDDING: embeddingPrograms.join(' '),
    SECONDS_TO_LIVE: String(secondsToLive(settings)),
  };
}

const noServices = { api: null, dns: null };
/** An address as the scripts take it: `HOST PORT`. Empty: there is none. */
export const hostAndPortOf = (address: { readonly host: string; readonly port: string | number } | null): string =>
  address === null ? '' : `${address.host} ${address.port}`;

type Addresses = ProbeSettings['addresses'];

/**
 * One line for each end of a bridge among these nodes, as short as possible, because each of these pods has all of them. The script's head explains
 * the format.
 */
function bridgesOf({ addresses, addressesV6 = [], partners }: ProbeSettings, indexes: readonly number[]): string[] {
  const positionOf = new Map(indexes.map((node, position) => [node, position]));
  return (partners?.bridges ?? []).flatMap(({ ends: [one, other], colour }) =>
    [[one, other] as const, [other, one] as const].flatMap(([own, peer], end) => {
      const position = positionOf.get(own);
      if (position === undefined) return [];
      const found = [addresses[peer] ?? '-', addressesV6[peer] ?? '-'].join();
      return [`${position},${end},${colour},${found.replace(/,-$/, '')}`];
    }),
  );
}

/** The rights of a preflight beyond reading. Whoever may create pods in a namespace that allows privileged ones is root on every node. */
export function probeRules({ pullSecrets = [] }: Pick<ProbeSettings, 'pullSecrets'> = {}): MissingRule[] {
  const { namespace: own } = probeNames;
  const reading = pullSecrets.map(({ namespace, name }) => rule(resources.secrets, 'get', { namespace, name }));
  const copying = pullSecrets.length > 0 ? [rule(resources.secrets, 'create', { namespace: own })] : [];
  // For renewing the hold.
  return [...rulesFor(own), rule(resources.namespaces, 'patch', { name: own }), ...reading, ...copying];
}

/** The rights to create, follow and delete objects in a namespace of its own. */
export function rulesFor(namespace: string): MissingRule[] {
  return [
    rule(resources.namespaces, 'create'),
    rule(resources.namespaces, 'get', { name: namespace }),
    rule(resources.namespaces, 'delete', { name: namespace }),
    rule(resources.serviceAccounts, 'create', { namespace }),
    rule(resources.daemonSets, 'create', { namespace }),
    rule(resources.pods, 'list', { namespace }),
    { ...rule(resources.pods, 'get', { namespace }), subresource: 'log' },
  ];
}

function rule(
  { group, plural }: (typeof resources)['pods'],
  verb: string,
  where: { namespace?: string; name?: string } = {},
): MissingRule {
  return { verb, group, resource: plural, ...where };
}
