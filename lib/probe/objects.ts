import type { V1DaemonSet, V1Namespace, V1ServiceAccount } from '@kubernetes/client-node';
import type { KubeObject, Written } from '#lib/kube/index.ts';
import { type MissingRule, names, resources } from '#lib/spec/index.ts';
import { embeddingPrograms } from './embedding-programs.ts';
import { strides } from './partners/pairs.ts';
import { choosePartners, type Partners } from './partners/partners.ts';
import { questionAbout } from './scripts/question-about.ts';
import { podScript, probeScript, without, withoutComments } from './scripts/scripts.ts';

export const probeNames = {
  namespace: 'signalbox-probe',
  account: 'signalbox-probe',
  /** On the host's network. */
  host: 'signalbox-probe',
  /** On the network of pods. */
  pod: 'signalbox-probe-pod',
  /** A container an image. */
  images: 'signalbox-probe-images',
  containers: { host: 'probe', pod: 'probe-pod' },
} as const;

/** Pods of all DaemonSets are made by one client, 20 in a second (kube-controller-manager › --kube-api-qps): what the last one waits, and some more. */
const madeWithinMs = (settings: Pods) => 60 * settings.addresses.length * waysOf(settings).length;
type Pods = Pick<ProbeSettings, 'addresses' | 'podNetwork' | 'images'>;

/** So long a pod has to take its devices away. A namespace waits half of it before it looks again (kubernetes pkg/controller/namespace: syncNamespaceFromKey). */
export const secondsToEnd = 3;

/** So long pods test before they only wait to be deleted: of many nodes the last get theirs late. */
const secondsToLive = (settings: Pods) => 300 + Math.ceil(madeWithinMs(settings) / 1_000);

/** How long nodes may take to report where nothing else is said, in ms: an image may have to be pulled, and many pods take their time to be made. */
export const usualPatienceMs = (settings: Pods) => 180_000 + madeWithinMs(settings);

type Place = { readonly host: string; readonly port: string };

export type ProbeSettings = {
  /** From 256 to 65535, another for each preflight: devices, test addresses and VXLAN numbers are made from it. */
  readonly run: number;
  readonly image: string;
  readonly endpoint: Place | null;
  /** At their ClusterIPs; left out: none is known. */
  readonly services?: { readonly api: Place | null; readonly dns: Place | null };
  /** Addresses of the API servers behind the API's Service; left out: none is known. */
  readonly apiServers?: readonly Place[];
  /** IPv4 of each node, in the order of the question; null: it has none. */
  readonly addresses: readonly (string | null)[];
  /** The same of IPv6, where Calico sends VXLAN between these too; left out: it does not. */
  readonly addressesV6?: readonly (string | null)[];
  readonly vxlanPort: number;
  /** Whether packets with the address of another node are sent: networks may take those for an attack. */
  readonly dsr?: boolean;
  /** Where Calico mounts cgroup2. */
  readonly cgroupFolder: string;
  /** That the agent's pod makes; left out: none, or it was made before. */
  readonly flexVolumeFolder?: string;
  /** Labels of the nodes to test; empty: all. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /**
   * How DaemonSets select their nodes: by these labels and Linux's, or by `names`, where the label of a node belies its system or is on a node that is
   * not tested. Left out: by labels.
   */
  readonly select?: 'labels' | 'names';
  /** Who tests with whom, by place in `addresses`; left out: all are one group. */
  readonly partners?: Partners;
  /** Names of the nodes, in the same order; needed where there are several groups, or where nodes are selected by them. */
  readonly names?: readonly string[];
  /** Whether there is a network for pods. */
  readonly podNetwork: 'there' | 'not-yet';
  /** Others that the plan brings to nodes: they are pulled, and nothing of them is run. */
  readonly images?: readonly string[];
  /** Secrets that pulling needs, copied by name into the probe's namespace. */
  readonly pullSecrets?: readonly PullSecret[];
};

export type PullSecret = { readonly namespace: string; readonly name: string };

/** Everything that a preflight makes, in order; it is deleted in the opposite one. */
export function probeObjects(settings: ProbeSettings): KubeObject[] {
  const labels = { [names.managedByLabel]: names.fieldManager };
  // What is in them is read when they are copied.
  const secrets = (settings.pullSecrets ?? []).map(({ name }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: probeNames.namespace, labels },
  }));
  const daemonSets = waysOf(settings).flatMap((way) =>
    groupsOf(way, settings).map((_, group) => daemonSet(way, settings, group)),
  );
  return [...placeFor(probeNames), ...secrets, ...daemonSets];
}

/** Of all these, as `namespace/Kind/name`. */
export function probeObjectIds(settings: ProbeSettings): string[] {
  return probeObjects(settings).map(({ kind, metadata: { namespace, name } }) =>
    [namespace, kind, name].filter((part) => part !== undefined).join('/'),
  );
}

/** A pod of each is on each node. */
export function waysOf({ podNetwork, images = [] }: Pick<ProbeSettings, 'podNetwork' | 'images'>): Way[] {
  return [
    'host',
    ...(podNetwork === 'there' ? (['pod'] as const) : []),
    ...(images.length > 0 ? (['images'] as const) : []),
  ];
}

/** By the name of its DaemonSet, of which each group of nodes has one for the host; undefined: it is none of a probe. */
export function wayOf(daemonSet: string): Way | undefined {
  const first = daemonSet.replace(/-\d+$/, '');
  return (['host', 'pod', 'images'] as const).find((way) => probeNames[way] === first);
}

/** Places in `addresses` of the nodes on which it has a pod. */
export function placesOf(
  daemonSet: string,
  settings: Pick<ProbeSettings, 'addresses' | 'partners' | 'select'>,
): readonly number[] {
  const group = Number(/-(\d+)$/.exec(daemonSet)?.[1] ?? 1) - 1;
  return groupsOf(wayOf(daemonSet) ?? 'host', settings)[group] ?? [];
}

/** What a pod of this way runs. Of several groups of nodes without comments, nor what is not asked for: they are many. */
export function scriptOf(way: 'host' | 'pod', settings: Pick<ProbeSettings, 'addresses' | 'partners' | 'dsr'>): string {
  if (partnersAmong(settings).groups.length === 1) return commented[way];
  return (settings.dsr ? bare : bareWithoutDsr)[way];
}

const commented = { host: probeScript, pod: podScript };
const bare = { host: withoutComments(probeScript), pod: withoutComments(podScript) };
const bareWithoutDsr = { ...bare, host: withoutComments(without('dsr', probeScript)) };

type Grouped = Pick<ProbeSettings, 'addresses' | 'partners'>;

function partnersAmong({ addresses, partners }: Grouped): Partners {
  return partners ?? choosePartners(addresses.map((address) => ({ address })));
}

/**
 * Places of the nodes that each DaemonSet of this way has a pod on; nodes that test with nobody are in the first. One DaemonSet is enough for what is
 * the same on every node, unless it names its nodes: each change of its status writes all of the names again (etcd-history.ts).
 */
function groupsOf(way: Way, settings: Grouped & Pick<ProbeSettings, 'select'>): readonly (readonly number[])[] {
  const { groups, others } = partnersAmong(settings);
  if (way !== 'host' && settings.select !== 'names') return [[...groups.flat(), ...others]];
  return groups.map((group, index) => [...group, ...(index === 0 ? others : [])]);
}

/** A namespace that takes pods on the host's network, and an account in it without any rights. */
export function placeFor({ namespace, account }: { readonly namespace: string; readonly account: string }) {
  const labels = { [names.managedByLabel]: names.fieldManager };
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'privileged' } },
    } satisfies Written<V1Namespace>,
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account, namespace, labels },
      automountServiceAccountToken: false,
    } satisfies Written<V1ServiceAccount>,
  ];
}

export type Way = 'host' | 'pod' | 'images';

/** What DaemonSets select Linux nodes by. */
export const linuxLabel = { 'kubernetes.io/os': 'linux' } as const;

function daemonSet(way: Way, settings: ProbeSettings, group: number): Written<V1DaemonSet> {
  const name = group === 0 ? probeNames[way] : `${probeNames[way]}-${group + 1}`;
  const labels = { 'app.kubernetes.io/name': name, [names.managedByLabel]: names.fieldManager };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: probeNames.namespace, labels },
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      // All at once: nothing is served by them.
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
          // The node's own resolver, as the agent asks before cluster DNS is there. No volume by hostPath: docs/security.md says why.
          ...(way === 'host' ? { hostNetwork: true, hostPID: true, dnsPolicy: 'Default' } : {}),
          // Pulled before there is a network for pods, too.
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

/** The pods that a DaemonSet makes name one node each, whatever stands here (kubernetes pkg/controller/daemon/util: ReplaceDaemonSetPodNodeNameNodeAffinity). */
function affinityOf(way: Way, settings: ProbeSettings, group: number) {
  const groups = groupsOf(way, settings);
  if (settings.select !== 'names' && groups.length === 1) return {};
  return { affinity: onNodes((groups[group] ?? []).flatMap((place) => settings.names?.[place] ?? [])) };
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

/** A program that no image has: a container that cannot start was pulled, and nothing of it runs. */
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

/** A term each: `metadata.name` takes one value (kubernetes.io/docs › Assigning Pods to Nodes › matchFields). */
export function onNodes(nodes: readonly string[]) {
  const nodeSelectorTerms = nodes.map((name) => ({
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
  }));
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}

export const withoutRights = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

export function environmentOf(environment: Readonly<Record<string, string>>): { name: string; value: string }[] {
  // Kubernetes makes one of two dollar signs.
  return Object.entries(environment).map(([name, value]) => ({ name, value: value.replaceAll('$', '$$$$') }));
}

/** What the script is told; its head says what each means. */
export function probeEnvironment(way: 'host' | 'pod', settings: ProbeSettings, group = 0): Record<string, string> {
  const { endpoint, apiServers = [], services = noServices } = settings;
  const places = way === 'host' ? (partnersAmong(settings).groups[group] ?? []) : [];
  const listed = (addresses: Addresses = []) =>
    addresses.length === 0 ? '' : places.map((place) => addresses[place] ?? '-').join(' ');
  return {
    WAY: way,
    RUN: String(settings.run),
    ENDPOINT: said(endpoint),
    API_SERVICE: said(services.api),
    DNS: said(services.dns),
    QUESTION: services.dns === null ? '' : questionAbout(services.api?.host ?? services.dns.host),
    API_SERVERS: apiServers.map(({ host, port }) => `${host},${port}`).join(' '),
    ADDRESSES: listed(settings.addresses),
    ADDRESSES_V6: listed(settings.addressesV6),
    STRIDES: strides(places.length).join(' '),
    BRIDGES: bridgesOf(settings, places).join(' '),
    DSR: settings.dsr ? 'yes' : '',
    PORT: String(settings.vxlanPort),
    CGROUP: settings.cgroupFolder,
    FLEXVOLUME: settings.flexVolumeFolder ?? '',
    EMBEDDING: embeddingPrograms.join(' '),
    SECONDS_TO_LIVE: String(secondsToLive(settings)),
  };
}

const noServices = { api: null, dns: null };
const said = (place: Place | null) => (place === null ? '' : `${place.host} ${place.port}`);

type Addresses = ProbeSettings['addresses'];

/** A line for each end among these places, as short as it can be: each of these pods has all of them. The head of the script says what stands in it. */
function bridgesOf({ addresses, addressesV6 = [], partners }: ProbeSettings, places: readonly number[]): string[] {
  const placeOf = new Map(places.map((node, place) => [node, place]));
  return (partners?.bridges ?? []).flatMap(({ ends: [one, other], colour }) =>
    [[one, other] as const, [other, one] as const].flatMap(([own, peer], end) => {
      const place = placeOf.get(own);
      if (place === undefined) return [];
      const found = [addresses[peer] ?? '-', addressesV6[peer] ?? '-'].join();
      return [`${place},${end},${colour},${found.replace(/,-$/, '')}`];
    }),
  );
}

/** What a preflight needs beside what reading needs. Whoever may make pods in a namespace that allows privileged ones is root on every node. */
export function probeRules({ pullSecrets = [] }: Pick<ProbeSettings, 'pullSecrets'> = {}): MissingRule[] {
  const { namespace: own } = probeNames;
  const reading = pullSecrets.map(({ namespace, name }) => rule(resources.secrets, 'get', { namespace, name }));
  const copying = pullSecrets.length > 0 ? [rule(resources.secrets, 'create', { namespace: own })] : [];
  // To say, over and over, whose it is.
  return [...rulesFor(own), rule(resources.namespaces, 'patch', { name: own }), ...reading, ...copying];
}

/** To make, follow and take away what lies in a namespace of its own. */
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
