import { parseAddress, parseCidr } from '#lib/base/ip.ts';
import type { LinkChoice, Packets } from '#lib/node/index.ts';
import { kubeProxyHealthPort } from '#lib/spec/index.ts';
import { usageError } from '../exit.ts';
import { type Flags, type FlagTable, parseDuration, parsePort } from '../flags.ts';
import { clusterFlags, outputIn } from '../global-flags.ts';
import { listenFlag } from '../listen-flag.ts';
import { nodeViews, usualListen } from './node-views.ts';

export const usualPins = '/sys/fs/bpf/signalbox';
/** Calico's prefix for interfaces of pods (FelixConfiguration interfacePrefix). */
const usualPodLinks = 'cali*';

export const nodeFlags = {
  context: clusterFlags.context,
  kubeconfig: clusterFlags.kubeconfig,
  timeout: clusterFlags.timeout,
  from: { value: 'DIR', help: 'read objects from this folder, not from an API server; changed files are read again' },
  'node-name': { value: 'NAME', help: 'name of this node in the API (default: host name)' },
  'node-ip': { value: 'IP', many: true, help: 'address of this node, one per family (default: from its Node)' },
  iface: {
    value: 'NAMES',
    help: "network interfaces, such as eth0,bond*; none: serve sockets only (default: those that match Calico's own pattern)",
  },
  'pod-iface': {
    value: 'NAMES',
    help: `interfaces of pods, whose addresses are read from the host's routes (default ${usualPodLinks})`,
  },
  dsr: { help: 'backends here answer clients of other nodes directly; the network must allow it' },
  'dsr-optout': { value: 'CIDR,…', help: 'clients that are answered through the tunnel even with --dsr' },
  masquerade: {
    value: 'CIDR,…',
    help: 'ranges of pods; what these pods send to other addresses gets the address of this host (nftables)',
  },
  'kube-proxy-cleanup': {
    help: "delete kube-proxy's rules (iptables, nftables) once the agent serves on every interface and kube-proxy has left the health port. Stop a kube-proxy whose healthz is at another port first. Without this flag they are deleted only where FelixConfiguration default sets bpfKubeProxyIptablesCleanupEnabled to true",
  },
  'health-port': {
    value: 'PORT',
    help: `port of /healthz for load balancers, on every address; none: off (default ${kubeProxyHealthPort})`,
  },
  cgroup: { value: 'DIR', help: 'folder of cgroup2: serve only its processes (default: all of this host)' },
  pins: { value: 'DIR', help: `folder of bpffs that keeps maps and links (default ${usualPins})` },
  'nodeport-addresses': { value: 'CIDR,…', help: 'addresses of this host that serve NodePorts (default: all)' },
  'without-policy': {
    value: 'I-understand',
    help: 'start even though there are network policies, which are not enforced',
  },
  'min-sync': { value: 'DURATION', help: 'shortest time between two updates of the maps (default 50ms)' },
  listen: { value: 'HOST:PORT', help: `address of /healthz, /readyz, /status and /metrics (default ${usualListen})` },
  'end-connections': {
    help: 'leave: end connections that are translated packet by packet, instead of handing them to the host',
  },
  ...outputIn(`${nodeViews.join(', ')}: table (default), json or yaml`),
} satisfies FlagTable;

export type ServedPackets = Omit<Packets, 'devices'> & { readonly choice: LinkChoice };

/** Null: serves sockets only. */
function packetsOf(flags: Flags): ServedPackets | null {
  const network = linkNames(flags, 'iface', 'found');
  const pods = linkNames(flags, 'pod-iface', [usualPodLinks]);
  const throughTunnel = rangesOf(flags, 'dsr-optout');
  if (throughTunnel !== null && !flags.has('dsr')) throw usageError('--dsr-optout has no meaning without --dsr');
  if (network === null) return null;
  return {
    choice: { network, pods: pods ?? [] },
    ofPods: pods !== null,
    dsr: flags.has('dsr') ? { throughTunnel: throughTunnel ?? [] } : null,
  };
}

/** What `signalbox node` was told to serve, and where. */
export type NodeSettings = {
  readonly own: { readonly host: string; readonly port: number };
  readonly nodeIps: readonly string[];
  /** Null: sockets alone. */
  readonly packets: ServedPackets | null;
  readonly masquerade: readonly string[];
  readonly onceAloneWhen: 'asked' | 'felix-allows';
  readonly nodePorts: readonly string[] | 'all';
  readonly withoutPolicy: 'refuse' | 'understood';
  readonly minSyncMs: number;
  readonly healthPort: number | null;
};

/** Reads the flags, before anything is loaded into the kernel. Throws a usage error that names the flag. */
export function nodeSettings(flags: Flags): NodeSettings {
  const own = listenFlag(flags, usualListen);
  const nodeIps = flags.list('node-ip');
  for (const one of nodeIps)
    if (parseAddress(one) === null) throw usageError(`--node-ip: ${JSON.stringify(one)} is not an IP address`);
  const consent = flags.text('without-policy');
  if (consent !== undefined && consent !== 'I-understand')
    throw usageError('--without-policy: write I-understand, which confirms that no policy is enforced');
  const packets = packetsOf(flags);
  const masquerade = rangesOf(flags, 'masquerade') ?? [];
  if (masquerade.length > 0 && packets === null) throw usageError('--masquerade has no meaning with --iface none');
  if (flags.has('kube-proxy-cleanup') && packets === null)
    throw usageError(
      '--kube-proxy-cleanup has no meaning with --iface none: packets from outside stay with kube-proxy',
    );
  return {
    own,
    nodeIps,
    packets,
    masquerade,
    onceAloneWhen: flags.has('kube-proxy-cleanup') ? 'asked' : 'felix-allows',
    nodePorts: rangesOf(flags, 'nodeport-addresses') ?? 'all',
    withoutPolicy: consent === undefined ? 'refuse' : 'understood',
    minSyncMs: parseDuration('min-sync', flags.text('min-sync') ?? '50ms'),
    // Without packets it serves no connections from outside, so it must not report health to load balancers.
    healthPort: packets && healthPortOf(flags),
  };
}

/** Interface names of Linux, with `*` as wildcard. */
const linkName = /^[\w.@:*-]{1,15}$/;

/** Null for `none`. */
function linkNames<Usual>(flags: Flags, flag: string, usual: Usual): Usual | readonly string[] | null {
  const text = flags.text(flag);
  if (text === undefined) return usual;
  if (text === 'none') return null;
  const names = text.split(',');
  for (const one of names)
    if (!linkName.test(one))
      throw usageError(`--${flag}: ${JSON.stringify(one)} is not the name of an interface; write eth0 or bond*`);
  return names;
}

function healthPortOf(flags: Flags): number | null {
  const text = flags.text('health-port') ?? String(kubeProxyHealthPort);
  return text === 'none' ? null : parsePort('health-port', text, ', or none');
}

/** Null if the flag is absent. */
function rangesOf(flags: Flags, flag: string): readonly string[] | null {
  const ranges = flags.text(flag)?.split(',') ?? null;
  for (const one of ranges ?? [])
    if (parseCidr(one) === null) throw usageError(`--${flag}: ${JSON.stringify(one)} is not a range; write 10.0.0.0/8`);
  return ranges;
}
