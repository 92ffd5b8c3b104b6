import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseAddress, parseCidr } from '#lib/base/ip.ts';
import { systemClock } from '#lib/kube/index.ts';
import {
  attachSockets,
  calicoRulesOfHost,
  folderSource,
  holdPins,
  leaveNode,
  liveSource,
  loadDataPlane,
  type NodeSource,
  pinsOf,
  requireBpfFileSystem,
  runAgent,
} from '#lib/node/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Command, Invocation } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { type Flags, parseDuration } from '../flags.ts';
import { clusterFlags, outputFlags } from '../global-flags.ts';
import { listenFlag } from '../listen-flag.ts';
import { withCluster } from '../open-cluster.ts';
import { untilInterrupted } from '../terminal/until-interrupted.ts';
import { asCliError, isShown, saying, showNode, shown, usualListen } from './node-shown.ts';

const usualPins = '/sys/fs/bpf/signalbox';
/** The unified hierarchy: the whole of it, or beside the older one. */
const usualCgroups = ['/sys/fs/cgroup/cgroup.controllers', '/sys/fs/cgroup/unified/cgroup.controllers'];

export const nodeCommand: Command = {
  name: 'node',
  arguments: '[status|services|conntrack|routes|leave]',
  summary:
    "Serves Services to this node's processes and pods at the socket, by eBPF programs, until it is stopped; what it attached goes on without it, and leave takes it away. status asks the agent that runs, services, conntrack and routes read what stands in the kernel. Packets from outside (NodePorts, load balancers) stay with the service proxy.",
  flags: {
    context: clusterFlags.context,
    kubeconfig: clusterFlags.kubeconfig,
    timeout: clusterFlags.timeout,
    from: { value: 'DIR', help: 'a folder of objects in the place of an API server; files that change are read again' },
    'node-name': { value: 'NAME', help: 'its name in the API (default: of this host)' },
    'node-ip': { value: 'IP', many: true, help: 'its address, one a family' },
    cgroup: { value: 'DIR', help: 'of cgroup2: whose processes are served (default: all of this host)' },
    pins: { value: 'DIR', help: `in bpffs: where maps and links stay (default ${usualPins})` },
    'nodeport-addresses': { value: 'CIDR,…', help: 'addresses of this host that answer at node ports (default: all)' },
    'without-policy': { value: 'I-understand', help: 'go to work although there are policies, which are not enforced' },
    'min-sync': { value: 'DURATION', help: 'shortest time between two writes (default 50ms)' },
    listen: { value: 'HOST:PORT', help: `where /healthz, /readyz, /status and /metrics are (default ${usualListen})` },
    ...outputFlags,
  },
  async run(invocation) {
    const { args, flags, terminal } = invocation;
    const pins = flags.text('pins') ?? usualPins;
    const [what] = args;
    if (args.length > 1 || (what !== undefined && what !== 'leave' && !isShown(what)))
      throw usageError(
        `node: ${JSON.stringify(args.join(' '))} is not known; there are ${[...shown, 'leave'].join(', ')}`,
      );
    if (isShown(what)) return showNode(invocation, what, pins);
    if (args[0] === 'leave') {
      const removed = saying(() => leaveNode(pins));
      terminal.err(
        removed === 0
          ? `Nothing is pinned at ${visibleLine(pins)}.`
          : 'The programs are detached and the maps are gone.',
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
  if (cgroup === undefined) throw usageError('--cgroup is needed: cgroup2 is at none of the usual places of this host');
  if (!existsSync(cgroup)) throw usageError(`--cgroup: there is no folder ${cgroup}`);
  const consent = flags.text('without-policy');
  if (consent !== undefined && consent !== 'I-understand')
    throw usageError('--without-policy takes I-understand: no policy is enforced');
  const folders = pinsOf(pins);
  saying(() => requireBpfFileSystem(pins));
  const letGo = saying(() => holdPins(pins, { make: true }));
  try {
    const plane = loadDataPlane({ pins: folders.maps });
    try {
      await runAgent(
        {
          source,
          maps: plane.maps,
          attach: () => attachSockets(plane, { cgroup, pins: folders.links }),
          nodeName: flags.text('node-name') ?? hostname().toLowerCase(),
          nodeIps,
          nodePorts: nodePortsOf(flags),
          withoutPolicy: consent === undefined ? 'refuse' : 'understood',
          foreignRules: () => calicoRulesOfHost(),
          minSyncMs: parseDuration('min-sync', flags.text('min-sync') ?? '50ms'),
          own: { host, port },
          // It does not serve what comes from outside, so it must not tell a load balancer that it does.
          healthPort: null,
          clock: systemClock,
          log: (line) => terminal.err(visibleLine(line)),
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

function nodePortsOf(flags: Flags): 'all' | readonly string[] {
  const text = flags.text('nodeport-addresses');
  if (text === undefined) return 'all';
  const ranges = text.split(',');
  for (const one of ranges)
    if (parseCidr(one) === null) throw usageError(`--nodeport-addresses: ${JSON.stringify(one)} is not a range`);
  return ranges;
}
