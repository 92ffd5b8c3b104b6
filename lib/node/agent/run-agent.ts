import { networkInterfaces } from 'node:os';
import { same } from '#lib/base/records.ts';
import { inList } from '#lib/base/words.ts';
import { type Clock, endpointSliceOf, type KubeObject, nodeOf, serviceOf } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';
import { configFlags, type DataPlane, type DataPlaneMaps, protocols, tunnelDefaults } from '../bpf/index.ts';
import { type AskForNeighbours, neighbourAsker } from '../host/ask-for-neighbours.ts';
import { type DatagramSocket, endDatagramSockets } from '../host/datagram-sockets.ts';
import { Failures } from '../host/failures.ts';
import type { PacketDevices } from '../host/packet-devices.ts';
import { noAddress, readAddress } from '../services/map-address.ts';
import { type NodeAddresses, nodeAddresses } from '../services/node-view.ts';
import { ServiceTable } from '../services/service-table.ts';
import {
  fullName,
  type NodeSource,
  neededKinds,
  type SourceKind,
  sourceKinds,
  sourceResources,
} from '../source/source.ts';
import { Bell } from '../sync/bell.ts';
import { hostRoutes, type NodePortAddresses, RouteWriter } from '../sync/host-routes.ts';
import { keepInSync, syncOnce } from '../sync/keep-in-sync.ts';
import { readPresent } from '../sync/map-writes.ts';
import { FlowSweep, type HasBackend } from '../sync/sweep-flows.ts';
import { type AgentState, eligibilityOf, type WithoutPolicy } from './agent-state.ts';
import { agentAnswer, proxyAnswer, serviceAnswer } from './answers.ts';
import { collectGarbage } from './collect-garbage.ts';
import { FelixAllows } from './felix-allows.ts';
import { keepServing } from './keep-serving.ts';
import { metricsText, SyncCounts } from './metrics.ts';
import { packetCounts } from './packet-counts.ts';
import { ServiceHealthPorts } from './service-health-ports.ts';

/** The agent does not go to work here, and the sentence says why. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused';
}

export type AgentOptions = {
  readonly source: NodeSource;
  readonly maps: DataPlaneMaps;
  /** What became of packets, by rows of `statistics`. */
  readonly counts: DataPlane['counts'];
  /** Names of what the kernel lacks and the programs do without. */
  readonly lacks: readonly string[];
  /** Done before anything is attached. */
  readonly prepareHost?: () => Promise<void>;
  /** Called once all services are written. What it returns is called at the end; what is pinned stays attached. */
  readonly attach: () => () => void;
  /** Whether what `attach` has attached is there still. */
  readonly isAttached: () => boolean;
  /** Done once this agent serves on every interface, and no service proxy holds the health port any more; where there is none, without asking. */
  readonly onceAlone?: () => Promise<void>;
  /** `felix-allows`: not before FelixConfiguration `default` allows it, and never without a health port, by which a service proxy is noticed. */
  readonly onceAloneWhen: 'asked' | 'felix-allows';
  readonly nodeName: string;
  /** The interfaces whose packets are served; null: sockets alone. */
  readonly packets: Packets | null;
  /** By which other nodes reach this one: one a family. Empty: as its Node says. */
  readonly nodeIps: readonly string[];
  readonly nodePorts: NodePortAddresses;
  readonly withoutPolicy: WithoutPolicy;
  /** The sentence, without its full stop, of what enforces policy on this host beside us, or that it is not known; null: nothing does. */
  readonly foreignRules: () => Promise<string | null>;
  readonly minSyncMs: number;
  readonly own: { readonly host: string; readonly port: number };
  /** Where load balancers ask for the node; null: nowhere, and at no healthCheckNodePort either. */
  readonly healthPort: number | null;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** What is done of memory once everything that was listed anew is written. */
  readonly collectGarbage?: () => void;
  /** By netlink, but in tests. */
  readonly askForNeighbours?: AskForNeighbours;
  /** Addresses of this host's interfaces. */
  readonly hostAddresses?: () => string[];
  readonly listening?: (what: 'own' | 'health', port: number) => void;
};

export type Packets = {
  readonly devices: (nodeIps: () => readonly string[]) => PacketDevices;
  /** Datagrams of pods are translated packet by packet, so that none is kept at a backend that went. */
  readonly ofPods: boolean;
  /** Answers of backends of this node go straight to their client; to these ranges through the tunnel all the same. Null: all through the tunnel. */
  readonly dsr: { readonly throughTunnel: readonly string[] } | null;
};

/** Addresses, interfaces and routes come and go without a word to us: pods are looked for often, all is looked at at times. */
const lookAtHost = { ms: 500, everyLooks: 10 } as const;

/**
 * The node agent: follows the source, writes the maps, attaches when they are complete, and answers for it until the signal aborts. When it ends nothing is
 * detached: the kernel goes on with what was written last. Rejects with AgentRefused before anything was written.
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
  // While something is being written, a backend may stand in no slot for a moment.
  const hasBackend: HasBackend = (id, backend) => seen.state().pendingSince !== null || present.hasBackend(id, backend);
  const sweep = new FlowSweep(maps, hasBackend);
  const went = new Bell();
  const [isAlone, isWhole] = [new Bell(), new Bell()];
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
              isAlone.ring();
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
    refuseAsStranger(options, seen);
    await refuseBesidePolicy(options, seen);
    const because = devices?.refusal() ?? null;
    if (because !== null) throw new AgentRefused(because);
    if (options.lacks.length > 0)
      log(`This kernel lacks ${inList(options.lacks, options.lacks.length)}; the programs do without.`);
    log(`Everything was read from ${source.name}: ${table.counts.services} Services.`);

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
    // All of them begin at once: what one interface had translated another one would not change back.
    configNow(configFlags.synced);
    attachedNow();
    run(onceAlone());
    log(
      seen.state().isAttached
        ? 'The services were written and the programs are attached.'
        : 'The services were written; not every interface has its programs yet.',
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
            log(`Not written: ${textOf(error)}`);
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
      orSay('Neighbours are not asked for', () => askForNeighbours(maps, process.hrtime.bigint()));
      if (seen.takeLargeLists()) (options.collectGarbage ?? collectGarbage)();
      if (looks % lookAtHost.everyLooks !== 0 && !devices?.hasChanged()) continue;
      // What fails of the one keeps nothing from the other.
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
      failures.failed(what, `${what}: ${textOf(error)}`);
    }
  }

  function socketsNow(): void {
    areSocketsServed = options.isAttached();
    if (areSocketsServed) return;
    // What is left of the old ones goes on until the new ones are there.
    const letGo = detach;
    detach = options.attach();
    letGo?.();
    areSocketsServed = true;
    log('Somebody has detached the programs of sockets. They are attached again.');
  }

  /** A route to a pod is written after its interface has programs: they translate what comes back. */
  function devicesNow(): void {
    devices?.bring();
    configNow(0);
    routesNow();
  }

  function attachedNow(): void {
    seen.attached(areSocketsServed && (devices?.isAttached() ?? true));
    if (seen.state().isAttached) isWhole.ring();
  }

  /** What serves beside us is needed by an interface that has no programs. */
  async function onceAlone(): Promise<void> {
    if (options.healthPort !== null) await isAlone.heard(stop);
    else if (options.onceAloneWhen === 'felix-allows') return;
    if (options.onceAloneWhen === 'felix-allows') await seen.felix.untilAllowed(stop);
    while (!stop.aborted && !seen.state().isAttached) await isWhole.heard(stop);
    if (!stop.aborted) await options.onceAlone?.();
  }

  function configNow(flags: number): void {
    const { packets } = options;
    const dsr = packets?.dsr ? configFlags.dsr : 0;
    const udp = packets?.ofPods ? configFlags.udpOfHostAlone : 0;
    writeConfig(maps, flags | dsr | udp, nodeIps(), devices?.tunnelMtu() ?? 0);
  }
}

/** A full table is read in some 20 minutes, at a hundredth of a processor; as a whole when a backend went, and not at each of many that go. */
const sweepEvery = { ms: 10_000, looks: 5_000, wholeMs: 1_000 } as const;

async function keepSweeping(
  sweep: FlowSweep,
  went: Bell,
  endSockets: () => void,
  { clock, log }: AgentOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const turn = new AbortController();
    const either = AbortSignal.any([signal, turn.signal]);
    const isWhole = await Promise.race([
      clock.sleep(sweepEvery.ms, either).then(
        () => false,
        () => false,
      ),
      went.heard(either).then(() => true),
    ]);
    turn.abort();
    if (signal.aborted) return;
    try {
      const nowNs = process.hrtime.bigint();
      endSockets();
      if (isWhole) await sweep.whole(nowNs, signal);
      else await sweep.pass(nowNs, sweepEvery.looks, signal);
    } catch (error) {
      if (!signal.aborted) log(`Flows that are over were not taken out: ${textOf(error)}`);
    }
    if (isWhole) await clock.sleep(sweepEvery.wholeMs, signal).catch(() => undefined);
  }
}

/** Whether a socket was given a backend that its Service has no longer: of one that is connected, the programs see no datagram again. */
function wasLeft(
  { socketOrigins }: DataPlaneMaps,
  { cookie, address, port }: DatagramSocket,
  hasBackend: HasBackend,
): boolean {
  const origin = socketOrigins.get({ cookie, backend: address, port, protocol: protocols.UDP });
  return origin !== null && !hasBackend(origin.serviceId, { address, port });
}

/** Under a name that is not its own a node takes none of its pods for local. */
function refuseAsStranger({ nodeName, source }: AgentOptions, seen: SourceState): void {
  if (!seen.nodes.has(nodeName))
    throw new AgentRefused(
      `${source.name} holds no Node ${JSON.stringify(nodeName)}: --node-name takes this node's name in the API, which is often a longer one than the host's.`,
    );
}

async function refuseBesidePolicy({ withoutPolicy, foreignRules }: AgentOptions, seen: SourceState): Promise<void> {
  if (withoutPolicy === 'understood') return;
  const because = seen.policyRefusal() ?? (await foreignRules());
  if (because)
    throw new AgentRefused(
      `${because}, and this data plane does not enforce policy yet: packets that it redirects would pass it by. --without-policy=I-understand goes on without.`,
    );
}

function writeConfig(maps: DataPlaneMaps, flags: number, nodeIps: readonly string[], tunnelMtu: number): void {
  const known = maps.config.get(0);
  const wanted = {
    // What an earlier process has declared complete stays so while this one catches up.
    flags: flags | ((known?.flags ?? 0) & configFlags.synced),
    vni: tunnelDefaults.vni,
    tunnelPort: tunnelDefaults.port,
    tunnelMtu,
    nodeV4: nodeIps.find((one) => !one.includes(':')) ?? noAddress,
    nodeV6: nodeIps.find((one) => one.includes(':')) ?? noAddress,
  };
  if (!same(known, wanted)) maps.config.set(0, wanted);
}

/** Loopback has a row of its own; link-local ones are on every host. */
function addressesOfHost(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => {
      const address = one && !one.internal && !one.address.startsWith('fe80:') ? readAddress(one.address) : null;
      return address === null ? [] : [address];
    });
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Of the lists of all kinds, which come together, the next one follows within this time. Of how many Services and slices they are worth a look at memory. */
const largeLists = { settledMs: 2_000, objects: 1_000 } as const;

/** What the source has seen, and what became of it. */
class SourceState {
  readonly bell = new Bell();
  readonly nodes = new Map<string, NodeAddresses>();
  readonly felix = new FelixAllows();
  readonly #nodeName: string;
  readonly #withoutPolicy: WithoutPolicy;
  readonly #table: ServiceTable;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #listed = new Set<Resource>();
  readonly #interrupted = new Map<Resource, string>();
  readonly #refused = new Set<Resource>();
  readonly #policies = new Set<string>();
  readonly #heard = new Bell();
  /** Services and slices that were told since memory was looked at, and when a list has ended. */
  #told = 0;
  #listedAt: number | null = null;
  #node: AgentState['node'] = 'unknown';
  #isSynced = false;
  #isAttached = false;
  #lastSyncedAt: number | null = null;
  #pendingSince: number | null = null;
  #lastFailure: string | null = null;

  constructor(
    { nodeName, withoutPolicy, clock, log }: Pick<AgentOptions, 'nodeName' | 'withoutPolicy' | 'clock' | 'log'>,
    table: ServiceTable,
  ) {
    this.#log = log;
    this.#nodeName = nodeName;
    this.#withoutPolicy = withoutPolicy;
    this.#table = table;
    this.#clock = clock;
  }

  changed(kind: SourceKind, key: string, object: KubeObject | null): void {
    if (kind === 'services' || kind === 'slices') this.#told++;
    if (kind === 'services') this.#table.service(key, object && serviceOf(object));
    else if (kind === 'slices') this.#table.slice(key, object && endpointSliceOf(object));
    else if (kind === 'felix') this.felix.changed(key, object);
    else if (kind === 'policies') {
      if (object) this.#policies.add(key);
      else this.#policies.delete(key);
    } else this.#nodeChanged(key.replace(/^\//, ''), object);
    if (!this.#table.hasChanged) return;
    this.#pendingSince ??= this.#clock.monotonic();
    this.bell.ring();
  }

  listed(_kind: SourceKind, resource: Resource): void {
    this.#listedAt = this.#clock.monotonic();
    this.#listed.add(resource);
    this.#interrupted.delete(resource);
    this.#refused.delete(resource);
    this.#heard.ring();
  }

  interrupted(_kind: SourceKind, resource: Resource, because: string): void {
    if (this.#interrupted.get(resource) !== because) this.#log(`${fullName(resource)} cannot be read: ${because}`);
    this.#interrupted.set(resource, because);
    this.#heard.ring();
  }

  refused(kind: SourceKind, resource: Resource, because: string): void {
    this.#refused.add(resource);
    this.interrupted(kind, resource, because);
  }

  synced(): void {
    this.#isSynced = true;
    this.#lastSyncedAt = this.#clock.now();
    this.#lastFailure = null;
    this.#pendingSince = this.#table.hasChanged ? this.#clock.monotonic() : null;
  }

  attached(isWhole: boolean): void {
    this.#isAttached = isWhole;
  }

  addressesOf(node: string): string[] {
    return Object.values(this.nodes.get(node)?.of ?? {});
  }

  failed(error: unknown): void {
    this.#lastFailure = textOf(error);
  }

  /** Whether large lists have come, none of them just now, and all that they say was written. Asked again it is false. */
  takeLargeLists(): boolean {
    const at = this.#listedAt;
    if (at === null || this.#told < largeLists.objects || this.#pendingSince !== null) return false;
    if (this.#clock.monotonic() - at < largeLists.settledMs) return false;
    this.#listedAt = null;
    this.#told = 0;
    return true;
  }

  /** Until every needed resource was seen whole. Policies that may not be read end the wait too: it is then not known whether there are any. */
  async untilListed(signal: AbortSignal): Promise<void> {
    const isThere = (kind: SourceKind) =>
      sourceResources[kind].every((one) => this.#listed.has(one) || (kind === 'policies' && this.#refused.has(one)));
    while (!signal.aborted && !neededKinds.every(isThere)) await this.#heard.heard(signal);
  }

  policyRefusal(): string | null {
    if (this.#policies.size > 0) {
      const [first] = [...this.#policies].sort();
      const others = this.#policies.size - 1;
      return `The API holds ${first}${others > 0 ? ` and ${others} more policies` : ''}`;
    }
    const unread = sourceResources.policies.filter((one) => !this.#listed.has(one) || this.#refused.has(one));
    if (unread.length === 0) return null;
    const because = this.#because(unread) ?? unread.map(fullName).join(', ');
    return `It is not known whether there is any policy (${because})`;
  }

  /** Each sentence once: an API server that is away says the same of every resource. */
  #because(all: readonly Resource[]): string | null {
    const said = new Set(all.map((one) => this.#interrupted.get(one)).filter((one) => one !== undefined));
    return said.size === 0 ? null : [...said].join('; ');
  }

  #interruptedKinds(): ReadonlyMap<SourceKind, string> {
    const kinds = new Map<SourceKind, string>();
    for (const kind of sourceKinds) {
      const because = this.#because(sourceResources[kind]);
      if (because !== null) kinds.set(kind, because);
    }
    return kinds;
  }

  state(): AgentState {
    return {
      nodeName: this.#nodeName,
      interrupted: this.#interruptedKinds(),
      isSynced: this.#isSynced,
      isAttached: this.#isAttached,
      lastSyncedAt: this.#lastSyncedAt,
      pendingSince: this.#pendingSince,
      lastFailure: this.#lastFailure,
      policies: this.#policies.size,
      withoutPolicy: this.#withoutPolicy,
      node: this.#node,
    };
  }

  #nodeChanged(name: string, object: KubeObject | null): void {
    const node = object && nodeOf(object);
    const addresses = node && nodeAddresses(node);
    if (addresses) this.nodes.set(name, addresses);
    else this.nodes.delete(name);
    this.#table.node(name, addresses);
    if (name !== this.#nodeName) return;
    this.#node = eligibilityOf(node && { ...node, isBeingDeleted: object?.metadata.deletionTimestamp !== undefined });
  }
}
