import { networkInterfaces } from 'node:os';
import { messageOf } from '#lib/base/message-of.ts';
import { same } from '#lib/base/records.ts';
import { counted, inList } from '#lib/base/words.ts';
import type { Clock } from '#lib/kube/index.ts';
import { configFlags, type DataPlane, type DataPlaneMaps, tunnelDefaults } from '../bpf/index.ts';
import { type AskForNeighbours, neighbourAsker } from '../host/ask-for-neighbours.ts';
import { endDatagramSockets } from '../host/datagram-sockets.ts';
import { Failures } from '../host/failures.ts';
import type { PacketDevices } from '../host/packet-devices.ts';
import { noAddress, readAddress } from '../services/map-address.ts';
import { ServiceTable } from '../services/service-table.ts';
import type { NodeSource } from '../source/source.ts';
import { Bell } from '../sync/bell.ts';
import { emptyHeldFlows } from '../sync/empty-held-flows.ts';
import { hostRoutes, type NodePortAddresses, RouteWriter } from '../sync/host-routes.ts';
import { keepInSync, syncOnce } from '../sync/keep-in-sync.ts';
import { keepSweeping, wasLeft } from '../sync/keep-sweeping.ts';
import { readPresent } from '../sync/map-writes.ts';
import { FlowSweep, type HasBackend } from '../sync/sweep-flows.ts';
import { agentAnswer, proxyAnswer, serviceAnswer } from './answers.ts';
import { collectGarbage } from './collect-garbage.ts';
import { keepServing } from './keep-serving.ts';
import { metricsText, SyncCounts } from './metrics.ts';
import { packetCounts } from './packet-counts.ts';
import { AgentRefused, refuseAsStranger, refuseBesidePolicy } from './refusals.ts';
import { ServiceHealthPorts } from './service-health-ports.ts';
import type { WithoutPolicy } from './state/agent-state.ts';
import { SourceState } from './state/source-state.ts';

export type AgentOptions = {
  readonly source: NodeSource;
  readonly maps: DataPlaneMaps;
  /** Packet counts by rows of the map `statistics`. */
  readonly counts: DataPlane['counts'];
  /** Names of kernel features that are missing and that the programs do without. */
  readonly lacks: readonly string[];
  /** Called before anything is attached. */
  readonly prepareHost?: () => Promise<void>;
  /**
   * Attaches the programs of sockets; called once all services are written. The function that it returns is called when the agent ends; pinned
   * programs stay attached.
   */
  readonly attach: () => () => void;
  /** Whether the programs of `attach` are still attached. */
  readonly isAttached: () => boolean;
  /**
   * Called once this agent serves every interface and its health port is free, which means that no other service proxy runs. Without a health port it
   * does not check for one.
   */
  readonly onceAlone?: () => Promise<void>;
  /**
   * `felix-allows`: `onceAlone` waits until FelixConfiguration `default` allows it, and is never called without a health port, which is what shows
   * that another service proxy runs.
   */
  readonly onceAloneWhen: 'asked' | 'felix-allows';
  readonly nodeName: string;
  /** How packets at interfaces are served; null: only sockets are. */
  readonly packets: Packets | null;
  /** The addresses by which other nodes reach this one, at most one per family. Empty: those of its Node object. */
  readonly nodeIps: readonly string[];
  readonly nodePorts: NodePortAddresses;
  readonly withoutPolicy: WithoutPolicy;
  /**
   * A sentence without its full stop about another program that enforces policy on this host, or that this could not be checked. Null: there is none.
   */
  readonly foreignRules: () => Promise<string | null>;
  readonly minSyncMs: number;
  readonly own: { readonly host: string; readonly port: number };
  /** The port at which load balancers probe the node; null: neither it nor any healthCheckNodePort is served. */
  readonly healthPort: number | null;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Called after large lists were read and written, to free memory. */
  readonly collectGarbage?: () => void;
  /** By netlink, except in tests. */
  readonly askForNeighbours?: AskForNeighbours;
  /** Addresses of this host's interfaces. */
  readonly hostAddresses?: () => string[];
  readonly listening?: (what: 'own' | 'health', port: number) => void;
};

export type Packets = {
  readonly devices: (nodeIps: () => readonly string[]) => PacketDevices;
  /** Whether datagrams of pods are translated packet by packet instead of at the socket, so that no socket stays with a removed backend. */
  readonly ofPods: boolean;
  /**
   * Direct server return: backends of this node answer their clients directly, except for clients in these CIDRs. Null: all answers go back through
   * the tunnel.
   */
  readonly dsr: { readonly throughTunnel: readonly string[] } | null;
};

/** Nothing notifies the agent of changed addresses, interfaces and routes, so it looks: for new pods often, for everything else more rarely. */
const lookAtHost = { ms: 500, everyLooks: 10 } as const;

/**
 * The node agent: follows the source, writes the maps, attaches the programs once the maps are complete, and answers health checks until the signal
 * aborts. It detaches nothing when it ends: the kernel goes on with the last state. Rejects with AgentRefused before anything is attached.
 */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<void> {
  const { source, maps, clock, log, nodeName, askForNeighbours = neighbourAsker() } = options;
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  const present = readPresent(maps);
  const table = new ServiceTable(nodeName, present);
  const seen = new SourceState(options, table);
  const counts = new SyncCounts();
  const routes = new RouteWriter(maps);
  const nodeIps = () => (options.nodeIps.length > 0 ? options.nodeIps : seen.addressesOf(nodeName));
  const devices = options.packets?.devices(nodeIps) ?? null;
  // While changes are being written, a backend may be missing from all slots for a moment.
  const hasBackend: HasBackend = (id, backend) => seen.state().pendingSince !== null || present.hasBackend(id, backend);
  const sweep = new FlowSweep(maps, hasBackend);
  const went = new Bell();
  const [aloneBell, attachedBell] = [new Bell(), new Bell()];
  const ports = new ServiceHealthPorts(clock, (check) => serviceAnswer(check, seen.state(), clock), log);
  const packets = () => packetCounts(devices?.rows ?? new Map(), options.counts);
  const metrics = () => metricsText(seen.state(), table, counts, sweep.removed, packets(), clock.monotonic());
  const services = () => ({ counts: table.counts, problems: table.problems() });
  const tasks: Promise<unknown>[] = [];
  const run = (task: Promise<unknown>) => {
    tasks.push(
      task.catch((error: unknown) => {
        if (!stop.aborted) end.abort(error);
      }),
    );
  };
  const failures = new Failures(log);
  let detach: (() => void) | null = null;
  let areSocketsServed = false;
  try {
    run(
      keepServing(
        {
          ...options.own,
          answer: (path) => agentAnswer(path, seen.state(), clock, { metrics, services, packets }),
          listening: (port) => options.listening?.('own', port),
          refused: log,
        },
        clock,
        stop,
      ),
    );
    if (options.healthPort !== null)
      run(
        keepServing(
          {
            host: null,
            port: options.healthPort,
            answer: (path) => proxyAnswer(path, seen.state(), clock),
            listening: (port) => {
              aloneBell.ring();
              options.listening?.('health', port);
            },
            refused: log,
          },
          clock,
          stop,
        ),
      );
    run(source.follow(seen, stop));
    await seen.untilListed(stop);
    stop.throwIfAborted();
    refuseAsStranger(nodeName, source, seen);
    await refuseBesidePolicy(options.withoutPolicy, options.foreignRules, seen);
    const because = devices?.refusal() ?? null;
    if (because !== null) throw new AgentRefused(because);
    if (options.lacks.length > 0)
      log(`This kernel lacks ${inList(options.lacks, options.lacks.length)}; the programs work without.`);
    log(`Read from ${source.name}: ${counted(table.counts.services, 'Service')}.`);

    await emptyHeldFlows(maps, stop);
    configNow(0);
    routesNow();
    const podsNow = () => {
      if (detach !== null && devices?.hasChanged()) devicesNow();
    };
    const sync = { table, present, maps, clock, before: podsNow };
    const synced = (report: Awaited<ReturnType<typeof syncOnce>>) => {
      counts.add(report);
      seen.synced();
      if (report.backendsWent) went.ring();
      if (options.healthPort !== null) ports.set(table.healthChecks());
    };
    synced(await syncOnce(sync, stop));
    await options.prepareHost?.();
    stop.throwIfAborted();
    detach = options.attach();
    areSocketsServed = true;
    devicesNow();
    // All interfaces begin at once: otherwise one interface could not translate back what another has translated.
    configNow(configFlags.synced);
    attachedNow();
    run(onceAlone());
    log(
      seen.state().isAttached
        ? 'The Services were written and the programs are attached.'
        : 'The Services were written; not every interface has its programs yet.',
    );
    run(
      keepInSync(
        {
          ...sync,
          bell: seen.bell,
          minSyncMs: options.minSyncMs,
          synced,
          failed: (error) => {
            counts.failures++;
            seen.failed(error);
            log(`Not written: ${messageOf(error)}`);
          },
        },
        stop,
      ),
    );
    const endSockets = () => void endDatagramSockets((socket) => wasLeft(maps, socket, hasBackend));
    run(keepSweeping(sweep, went, endSockets, options, stop));
    for (let looks = 1; !stop.aborted; looks++) {
      await clock.sleep(lookAtHost.ms, stop).catch(() => undefined);
      if (stop.aborted) break;
      orSay('Addresses of neighbours cannot be looked up', () => askForNeighbours(maps, process.hrtime.bigint()));
      if (seen.takeLargeLists()) (options.collectGarbage ?? collectGarbage)();
      if (looks % lookAtHost.everyLooks !== 0 && !devices?.hasChanged()) continue;
      // A failure of one must not prevent the other.
      orSay('Programs of sockets are not attached', socketsNow);
      orSay('Interfaces or routes are not written', devicesNow);
      attachedNow();
    }
  } catch (error) {
    if (!stop.aborted || !signal.aborted) end.abort(error);
  } finally {
    end.abort();
    await Promise.all([...tasks, ports.close()]);
    detach?.();
    devices?.close();
  }
  if (!signal.aborted && end.signal.reason instanceof Error && end.signal.reason.name !== 'AbortError')
    throw end.signal.reason;

  function routesNow(): void {
    const own = (options.hostAddresses ?? addressesOfHost)();
    const { nodePorts, packets } = options;
    const pods = devices?.pods() ?? [];
    const throughTunnel = packets?.dsr?.throughTunnel ?? [];
    routes.write(hostRoutes({ own, nodes: seen.nodes, nodeName, nodePorts, pods, throughTunnel }));
  }

  function orSay(what: string, act: () => void): void {
    try {
      act();
      failures.fine(what, `No longer: ${what}.`);
    } catch (error) {
      seen.failed(error);
      failures.failed(what, `${what}: ${messageOf(error)}`);
    }
  }

  function socketsNow(): void {
    areSocketsServed = options.isAttached();
    if (areSocketsServed) return;
    // The programs that are left of the old attachment serve until the new ones are attached.
    const letGo = detach;
    detach = options.attach();
    letGo?.();
    areSocketsServed = true;
    log('The programs of sockets were detached from outside. They are attached again.');
  }

  /** A pod's route is written only after its interface has programs, because they translate the replies. */
  function devicesNow(): void {
    devices?.bring();
    configNow(0);
    routesNow();
  }

  function attachedNow(): void {
    seen.attached(areSocketsServed && (devices?.isAttached() ?? true));
    if (seen.state().isAttached) attachedBell.ring();
  }

  /** Calls `options.onceAlone` once every interface has programs: until then an interface without them needs the service proxy beside us. */
  async function onceAlone(): Promise<void> {
    if (options.healthPort !== null) await aloneBell.heard(stop);
    else if (options.onceAloneWhen === 'felix-allows') return;
    if (options.onceAloneWhen === 'felix-allows') await seen.felix.untilAllowed(stop);
    while (!stop.aborted && !seen.state().isAttached) await attachedBell.heard(stop);
    if (!stop.aborted) await options.onceAlone?.();
  }

  function configNow(flags: number): void {
    const { packets } = options;
    const dsr = packets?.dsr ? configFlags.dsr : 0;
    const udp = packets?.ofPods ? configFlags.udpOfHostAlone : 0;
    // An earlier agent's programs, left where ours cannot be attached, do not find flows in that table.
    const holds = (devices?.hasAll ?? true) ? configFlags.holdsFlows : 0;
    writeConfig(maps, flags | dsr | udp | holds, nodeIps(), devices?.tunnelMtu() ?? 0);
  }
}

function writeConfig(maps: DataPlaneMaps, flags: number, nodeIps: readonly string[], tunnelMtu: number): void {
  const known = maps.config.get(0);
  const wanted = {
    // If an earlier process has set these, they stay set while this one catches up: packets are served without a gap.
    flags: flags | ((known?.flags ?? 0) & (configFlags.synced | configFlags.holdsFlows)),
    vni: tunnelDefaults.vni,
    tunnelPort: tunnelDefaults.port,
    tunnelMtu,
    nodeV4: nodeIps.find((one) => !one.includes(':')) ?? noAddress,
    nodeV6: nodeIps.find((one) => one.includes(':')) ?? noAddress,
  };
  if (!same(known, wanted)) maps.config.set(0, wanted);
}

/** Without loopback, which has its own route, and link-local addresses, which every host has. */
function addressesOfHost(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => {
      const address = one && !one.internal && !one.address.startsWith('fe80:') ? readAddress(one.address) : null;
      return address === null ? [] : [address];
    });
}
