import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
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
  leaveNode,
  liveSource,
  loadDataPlane,
  type NodeSource,
  PacketDevices,
  pinsOf,
  removeHostRules,
  removeKubeProxyRules,
  requireBpfFileSystem,
  runAgent,
} from '#lib/node/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Command, Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import { nodeFlags, nodeSettings, type ServedPackets, usualPins } from '../node/node-flags.ts';
import { asCliError, isShown, nodeViews, saying, showNode } from '../node/node-views.ts';
import { withCluster } from '../open-cluster.ts';
import { handedBackText } from '../show/handed-back-text.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';

/** Files of the unified cgroup hierarchy, alone or beside the older one. */
const usualCgroups = ['/sys/fs/cgroup/cgroup.controllers', '/sys/fs/cgroup/unified/cgroup.controllers'];

export const nodeCommand: Command = {
  name: 'node',
  arguments: '[status|services|conntrack|routes|leave]',
  summary:
    'Serve Services on this node by eBPF programs: for its processes and pods, and for clients outside at NodePorts, external addresses and load balancers. Runs until you stop it. The programs keep working then; `leave` removes them. `status` asks the agent that runs; `services`, `conntrack` and `routes` read the maps in the kernel.',
  flags: nodeFlags,
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
  const { packets, masquerade, ...settings } = nodeSettings(flags);
  const cgroup = flags.text('cgroup') ?? usualCgroups.find(existsSync)?.replace(/\/[^/]*$/, '');
  if (cgroup === undefined)
    throw usageError('--cgroup is needed: this host has no cgroup2 at /sys/fs/cgroup or /sys/fs/cgroup/unified');
  if (!existsSync(cgroup)) throw usageError(`--cgroup: there is no folder ${cgroup}`);
  const folders = pinsOf(pins);
  const log = (line: string) => terminal.err(visibleLine(line));
  saying(() => requireBpfFileSystem(pins));
  const letGo = saying(() => holdPins(pins, { make: true }));
  try {
    const plane = loadDataPlane({ pins: folders.maps });
    try {
      await runAgent(
        {
          ...settings,
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
          attach: () => attachSockets(plane, { cgroup, pins: folders.links }),
          isAttached: () => areSocketsAttached(plane, { cgroup, pins: folders.links }),
          packets: packets && {
            ...packets,
            devices: (ipsOfNode) => packetDevices(plane, { ...packets, nodeIps: ipsOfNode, pins: folders.links, log }),
          },
          nodeName: flags.text('node-name') ?? hostname().toLowerCase(),
          foreignRules: () => calicoRulesOfHost(),
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

function packetDevices(
  plane: DataPlane,
  {
    choice,
    pins,
    nodeIps,
    log,
  }: {
    readonly choice: ServedPackets['choice'];
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
