import type { V1DaemonSet, V1Namespace, V1ServiceAccount } from '@kubernetes/client-node';
import type { KubeObject, Written } from '#lib/kube/index.ts';
import { type MissingRule, names, resources } from '#lib/spec/index.ts';
import { embeddingPrograms } from './embedding-programs.ts';
import { strides } from './pairs.ts';
import { questionAbout } from './scripts/question-about.ts';
import { probeScript } from './scripts/scripts.ts';

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

/** So long pods test before they only wait to be deleted. */
const secondsToLive = 300;

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
  /** Names of a sample, which alone is tested; left out: all with these labels. */
  readonly sample?: readonly string[];
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
  const ways: Way[] = ['host'];
  if (settings.podNetwork === 'there') ways.push('pod');
  if ((settings.images ?? []).length > 0) ways.push('images');
  return [...placeFor(probeNames), ...secrets, ...ways.map((way) => daemonSet(way, settings))];
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

function daemonSet(way: Way, settings: ProbeSettings): Written<V1DaemonSet> {
  const labels = { 'app.kubernetes.io/name': probeNames[way], [names.managedByLabel]: names.fieldManager };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: probeNames[way], namespace: probeNames.namespace, labels },
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/name': probeNames[way] } },
      // All at once: nothing is served by them.
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: probeNames.account,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 5,
          nodeSelector: { 'kubernetes.io/os': 'linux', ...settings.nodeSelector },
          ...(settings.sample === undefined ? {} : { affinity: onNodes(settings.sample) }),
          tolerations: [{ operator: 'Exists' }],
          // The node's own resolver, as the agent asks before cluster DNS is there.
          ...(way === 'host' ? { hostNetwork: true, hostPID: true, dnsPolicy: 'Default' } : {}),
          // Pulled before there is a network for pods, too.
          ...(way === 'images' ? { hostNetwork: true } : {}),
          ...((settings.pullSecrets ?? []).length > 0
            ? { imagePullSecrets: settings.pullSecrets?.map(({ name }) => ({ name })) ?? [] }
            : {}),
          containers: way === 'images' ? imageContainers(settings.images ?? []) : [scriptContainer(way, settings)],
        },
      },
    },
  };
}

function scriptContainer(way: 'host' | 'pod', settings: ProbeSettings) {
  return {
    name: probeNames.containers[way],
    image: settings.image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/bin/bash', '-c', probeScript],
    env: environmentOf(probeEnvironment(way, settings)),
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
export function probeEnvironment(way: 'host' | 'pod', settings: ProbeSettings): Record<string, string> {
  const { addresses, addressesV6 = [], endpoint, apiServers = [], services = noServices } = settings;
  return {
    WAY: way,
    RUN: String(settings.run),
    ENDPOINT: places(endpoint),
    API_SERVICE: places(services.api),
    DNS: places(services.dns),
    QUESTION: services.dns === null ? '' : questionAbout(services.api?.host ?? services.dns.host),
    API_SERVERS: apiServers.map(({ host, port }) => `${host},${port}`).join(' '),
    ADDRESSES: way === 'host' ? list(addresses) : '',
    ADDRESSES_V6: way === 'host' ? list(addressesV6) : '',
    STRIDES: strides(addresses.length).join(' '),
    DSR: settings.dsr ? 'yes' : '',
    PORT: String(settings.vxlanPort),
    CGROUP: settings.cgroupFolder,
    FLEXVOLUME: settings.flexVolumeFolder ?? '',
    EMBEDDING: embeddingPrograms.join(' '),
    SECONDS_TO_LIVE: String(secondsToLive),
  };
}

const noServices = { api: null, dns: null };
const places = (place: Place | null) => (place === null ? '' : `${place.host} ${place.port}`);
const list = (addresses: readonly (string | null)[]) => addresses.map((address) => address ?? '-').join(' ');

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
