import { networkInterfaces } from 'node:os';
import { isLoopback } from '#lib/base/ip.ts';
import { same } from '#lib/base/records.ts';
import { configFlags, type DataPlaneMaps, tunnelDefaults } from '../bpf/index.ts';
import type { PacketDevices } from '../host/packet-devices.ts';
import { noAddress, readAddress } from '../services/map-address.ts';
import { hostRoutes, RouteWriter } from '../sync/host-routes.ts';
import type { AgentOptions } from './agent-options.ts';
import type { SourceState } from './state/source-state.ts';

type Options = Pick<
  AgentOptions,
  'maps' | 'attach' | 'isAttached' | 'packets' | 'nodeName' | 'nodeIps' | 'nodePorts' | 'hostAddresses' | 'log'
>;

/** The programs of sockets and of interfaces on this host, with the routes and the configuration that they read. */
export class HostPrograms {
  /** Null: only sockets are served. */
  readonly devices: PacketDevices | null;
  readonly #options: Options;
  readonly #seen: SourceState;
  readonly #routes: RouteWriter;
  #detach: (() => void) | null = null;
  #areSocketsServed = false;
  /** `nodesChanged` of the source's state when the routes were last written. */
  #nodesWritten = -1;

  constructor(options: Options, seen: SourceState) {
    this.#options = options;
    this.#seen = seen;
    this.#routes = new RouteWriter(options.maps);
    this.devices = options.packets?.devices(() => this.#nodeIps()) ?? null;
  }

  /** Writes configuration and routes before anything is attached, because programs of an earlier agent read both. */
  prepare(): void {
    this.#writeConfig(0);
    this.#writeRoutes();
  }

  /** Attaches the programs of sockets, then those of interfaces, and lets all begin. Called once all Services are written. */
  attach(): void {
    this.#detach = this.#options.attach();
    this.#areSocketsServed = true;
    this.bringDevices();
    // All interfaces begin at once: otherwise one interface could not translate back what another has translated.
    this.#writeConfig(configFlags.synced);
  }

  /** Attaches the programs of sockets again if somebody has detached them. */
  bringSockets(): void {
    this.#areSocketsServed = this.#options.isAttached();
    if (this.#areSocketsServed) return;
    // The programs that are left of the old attachment serve until the new ones are attached.
    const letGo = this.#detach;
    this.#detach = this.#options.attach();
    letGo?.();
    this.#areSocketsServed = true;
    this.#options.log('The programs of sockets were detached from outside. They are attached again.');
  }

  /** Attaches programs to interfaces that lack them. A pod's route is written only after its interface has programs, because they translate the replies. */
  bringDevices(): void {
    this.devices?.bring();
    this.#writeConfig(0);
    this.#writeRoutes();
  }

  /** Serves the interfaces of new pods, and writes the ways to new nodes, before their backends are written. */
  bringNew(): void {
    if (this.#detach === null) return;
    if (this.devices?.hasChanged()) this.bringDevices();
    else if (this.#nodesWritten !== this.#seen.nodesChanged) this.#writeRoutes();
  }

  get isAttached(): boolean {
    return this.#areSocketsServed && (this.devices?.isAttached() ?? true);
  }

  /** Lets go of what is attached; pinned programs stay. */
  close(): void {
    this.#detach?.();
    this.devices?.close();
  }

  #nodeIps(): readonly string[] {
    const { nodeIps, nodeName } = this.#options;
    return nodeIps.length > 0 ? nodeIps : this.#seen.addressesOf(nodeName);
  }

  #writeRoutes(): void {
    const { nodePorts, packets, nodeName, hostAddresses = addressesOfHost } = this.#options;
    const pods = this.devices?.pods() ?? [];
    const throughTunnel = packets?.dsr?.throughTunnel ?? [];
    this.#routes.write(
      hostRoutes({ own: hostAddresses(), nodes: this.#seen.nodes, nodeName, nodePorts, pods, throughTunnel }),
    );
    this.#nodesWritten = this.#seen.nodesChanged;
  }

  #writeConfig(flags: number): void {
    const { packets, maps } = this.#options;
    const dsr = packets?.dsr ? configFlags.dsr : 0;
    const udp = packets?.ofPods ? configFlags.udpOfHostAlone : 0;
    // An earlier agent's programs, left where ours cannot be attached, do not find flows in that table.
    const holds = (this.devices?.hasAll ?? true) ? configFlags.holdsFlows : 0;
    writeConfig(maps, flags | dsr | udp | holds, this.#nodeIps(), this.devices?.tunnelMtu() ?? 0);
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

/**
 * Without loopback addresses, which have their own route, and link-local ones, which every host has. The loopback interface may have others: hosts that
 * announce their own address by BGP have it there.
 */
function addressesOfHost(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => {
      const address = one ? readAddress(one.address) : null;
      return address === null || isLoopback(address) || address.startsWith('fe80:') ? [] : [address];
    });
}
