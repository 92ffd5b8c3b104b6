import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseAddress, parseCidr } from '#lib/base/ip.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { systemClock } from '#lib/kube/index.ts';
import {
  applyHostRules,
  areSocketsAttached,
  attachInterface,
  attachSockets,
  calicoRulesOfHost,
  type DataPlane,
  detachInterface,
  folderSource,
  handBack,
  holdPins,
  isInterfaceAttached,
  type LinkChoice,
  leaveNode,
  liveSource,
  loadDataPlane,
  type NodeSource,
  PacketDevices,
  type Packets,
  pinsOf,
  removeHostRules,
  removeKubeProxyRules,
  requireBpfFileSystem,
  runAgent,
} from '#lib/node/index.ts';
import { kubeProxyHealthPort } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Command, Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import { type Flags, parseDuration } from '../flags.ts';
import { clusterFlags, outputIn } from '../global-flags.ts';
import { listenFlag } from '../listen-flag.ts';
import { withCluster } from '../open-cluster.ts';
import { handedBackText } from '../show/handed-back-text.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';
import { asCliError, isShown, nodeViews, saying, showNode, usualListen } from './node-views.ts';

const usualPins = '/sys/fs/bpf/signalbox';
/** Calico's prefix for interfaces of pods (FelixConfiguration interfacePrefix). */
const usualPodLinks = 'cali*';
/** Files of the unified cgroup hierarchy, alone or beside the older one. */
const usualCgroups = ['/sys/fs/cgroup/cgroup.controllers', '/sys/fs/cgroup/unified/cgroup.controllers'];

export const nodeCommand: Command = {
  name: 'node',
  arguments: '[status|services|conntrack|routes|leave]',
  summary:
    'Serve Services on this node by eBPF programs: for its processes and pods, and for clients outside at NodePorts, external addresses and load balancers. Runs until you stop it. The programs keep working then; `leave` removes them. `status` asks the agent that runs; `services`, `conntrack` and `routes` read the maps in the kernel.',
  flags: {
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
  },
  async run(invocation) {
    const { args, flags, terminal } = invocation;
    const pins = flags.text('pins') ?? usualPins;
    const [what] = args;
    if (args.length > 1 || (what !== undefined && what !== 'leave' && !isShown(what)))
      throw usageError(`node: ${JSON.stringify(args.join(' '))} is not one of ${[...nodeViews, 'leave'].join(', ')}`);
    if (flags.has('end-connections') && what !== 'leave')
      throw usageError('--end-connections is for `signalbox node leave`');
    if (isShown(what)) return showNode(invocation, what, pins);
    if (args[0] === 'leave') {
      const removed = await untilInterrupted(invocation.signal, (stop) => leave(pins, invocation, stop));
      await removeHostRules();
      terminal.err(
        removed === 0
          ? `Nothing to remove: nothing is pinned at ${visibleLine(pins)}.`
          : 'The programs are detached and the maps are removed.',
      );
      return exit.fine;
    }
    const source = flags.text('from');
    return untilInterrupted(invocation.signal, (stop) =>
      source === undefined
        ? withCluster(invocation, 'fresh', ({ kube }) => work(invocation, liveSource(kube, systemClock), pins, stop))
        : work(invocation, folderSource(source, systemClock), pins, stop),
    );
  },
};

async function work(
  { flags, terminal }: Invocation,
  source: NodeSource,
  pins: string,
  signal: AbortSignal,
): Promise<number> {
  const { host, port } = listenFlag(flags, usualListen);
  const nodeIps = flags.list('node-ip');
  for (const one of nodeIps)
    if (parseAddress(one) === null) throw usageError(`--node-ip: ${JSON.stringify(one)} is not an IP address`);
  const cgroup = flags.text('cgroup') ?? usualCgroups.find(existsSync)?.replace(/\/[^/]*$/, '');
  if (cgroup === undefined)
    throw usageError('--cgroup is needed: this host has no cgroup2 at /sys/fs/cgroup or /sys/fs/cgroup/unified');
  if (!existsSync(cgroup)) throw usageError(`--cgroup: there is no folder ${cgroup}`);
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
  const folders = pinsOf(pins);
  const log = (line: string) => terminal.err(visibleLine(line));
  saying(() => requireBpfFileSystem(pins));
  const letGo = saying(() => holdPins(pins, { make: true }));
  try {
    const plane = loadDataPlane({ pins: folders.maps });
    try {
      await runAgent(
        {
          source,
          maps: plane.maps,
          counts: plane.counts,
          lacks: plane.lacks,
          // Without packets, packet handling of the host stays unchanged.
          prepareHost: async () => {
            if (packets) await applyHostRules(masquerade, log);
          },
          // Without packets, kube-proxy still serves connections from outside.
          onceAlone: async () => {
            if (packets) await removeKubeProxyRules(log);
          },
          onceAloneWhen: flags.has('kube-proxy-cleanup') ? 'asked' : 'felix-allows',
          attach: () => attachSockets(plane, { cgroup, pins: folders.links }),
          isAttached: () => areSocketsAttached(plane, { cgroup, pins: folders.links }),
          packets: packets && {
            ...packets,
            devices: (ipsOfNode) => packetDevices(plane, { ...packets, nodeIps: ipsOfNode, pins: folders.links, log }),
          },
          nodeName: flags.text('node-name') ?? hostname().toLowerCase(),
          nodeIps,
          nodePorts: rangesOf(flags, 'nodeport-addresses') ?? 'all',
          withoutPolicy: consent === undefined ? 'refuse' : 'understood',
          foreignRules: () => calicoRulesOfHost(),
          minSyncMs: parseDuration('min-sync', flags.text('min-sync') ?? '50ms'),
          own: { host, port },
          // Without packets it serves no connections from outside, so it must not report health to load balancers.
          healthPort: packets && healthPortOf(flags),
          clock: systemClock,
          log,
        },
        signal,
      );
    } finally {
      plane.close();
    }
  } catch (error) {
    throw asCliError(error);
  } finally {
    letGo?.();
  }
  return exit.fine;
}

/** Returns the number of removed pins. */
async function leave(
  pins: string,
  { flags, terminal }: Pick<Invocation, 'flags' | 'terminal'>,
  signal: AbortSignal,
): Promise<number> {
  let isBegun = false;
  try {
    if (flags.has('end-connections')) return await leaveNode(pins, null);
    return await leaveNode(pins, async (maps) => {
      isBegun = true;
      terminal.err(handedBackText(await handBack(maps, signal)));
    });
  } catch (error) {
    if (!isBegun) throw asCliError(error);
    const again = 'Run `signalbox node leave` again.';
    if (signal.aborted)
      throw new CliError(
        exit.interrupted,
        `Interrupted: nothing was removed, and the programs keep working. ${again}`,
        error,
      );
    const because = visibleLine(messageOf(error));
    throw new CliError(exit.notAsAsked, `Not everything was removed: ${because} ${again}`, error);
  }
}

type ServedPackets = Omit<Packets, 'devices'> & { readonly choice: LinkChoice };

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

function packetDevices(
  plane: DataPlane,
  {
    choice,
    pins,
    nodeIps,
    log,
  }: {
    readonly choice: LinkChoice;
    readonly pins: string;
    readonly nodeIps: () => readonly string[];
    readonly log: (line: string) => void;
  },
): PacketDevices {
  return new PacketDevices({
    choice,
    interfaces: plane.maps.interfaces,
    attach: (ifindex) => attachInterface(plane, { ifindex, pins }),
    detach: (ifindex) => detachInterface(plane.libbpf, { ifindex, pins }),
    isAttached: (ifindex) => isInterfaceAttached(plane.libbpf, { ifindex, pins }),
    nodeIps,
    log,
  });
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
  if (text === 'none') return null;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw usageError(`--health-port: ${JSON.stringify(text)} is not a port; write a number up to 65535, or none`);
  return Number(text);
}

/** Null if the flag is absent. */
function rangesOf(flags: Flags, flag: string): readonly string[] | null {
  const ranges = flags.text(flag)?.split(',') ?? null;
  for (const one of ranges ?? [])
    if (parseCidr(one) === null) throw usageError(`--${flag}: ${JSON.stringify(one)} is not a range; write 10.0.0.0/8`);
  return ranges;
}
