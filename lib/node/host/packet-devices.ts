import { readFileSync } from 'node:fs';
import { messageOf } from '#lib/base/message-of.ts';
import { type BpfMap, type Interface, interfaceKinds } from '../bpf/index.ts';
import { familyOf, noAddress } from '../services/map-address.ts';
import { type ChosenLink, chooseLinks, type LinkChoice, whyNoLinks } from './choose-links.ts';
import { Failures } from './failures.ts';
import { knownNeighbours, type Neighbour, noMac } from './known-neighbours.ts';
import { type Link, linkNames, linksOfHost } from './links.ts';
import { type PodRoute, podRoutesIn } from './pod-routes.ts';

/** An address of a pod of this node, and the interface behind which it is. */
export type PodAddress = { readonly address: string; readonly ifindex: number };

/** The host's interfaces, routes and neighbours; replaced in tests. */
export type HostView = {
  readonly links: () => readonly Link[];
  readonly names: () => readonly string[];
  /** Texts of /proc/net/route and /proc/net/ipv6_route; empty for an address family that the kernel lacks. */
  readonly routes: () => { readonly v4: string; readonly v6: string };
  readonly neighbours: () => readonly Neighbour[];
};

const thisHost: HostView = {
  links: () => linksOfHost(),
  names: () => linkNames(),
  routes: () => ({ v4: textOf('/proc/net/route'), v6: textOf('/proc/net/ipv6_route') }),
  neighbours: () => knownNeighbours(),
};

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export type PacketDevicesOptions = {
  readonly choice: LinkChoice;
  readonly interfaces: BpfMap<number, Interface>;
  /**
   * Attaches the programs to an interface, or replaces them in place. The function that it returns closes descriptors; what is pinned stays. @throws
   * BpfError
   */
  readonly attach: (ifindex: number) => () => void;
  readonly detach: (ifindex: number) => void;
  /** Whether the programs are still attached: privileged processes can detach them. */
  readonly isAttached: (ifindex: number) => boolean;
  /** Addresses of this node, at most one per family. */
  readonly nodeIps: () => readonly string[];
  readonly log: (line: string) => void;
  readonly host?: HostView;
};

/**
 * Rows of `statistics`: 0 for packets without an interface, one for all pods, one for each network interface. When rows run out, further interfaces
 * share the last.
 */
export const statisticsRows = { host: 0, pods: 1, firstOfNetwork: 2, last: 255 } as const;

/** Bytes of headers for IPv4 in VXLAN in IPv4. IPv6 in IPv6 has 20 more, which the programs subtract (bpf/config.h). */
const tunnelHeaders = 50;

/**
 * Keeps our programs attached to the chosen interfaces as they come and go. A program only acts, and delivers packets, at interfaces in the map
 * `interfaces`: so an entry is written after the programs are attached, and deleted before they are detached.
 */
export class PacketDevices {
  readonly #options: PacketDevicesOptions;
  readonly #host: HostView;
  readonly #attached = new Map<number, () => void>();
  readonly #written = new Map<number, string>();
  /** Hardware addresses of pods. They are remembered because the kernel forgets silent neighbours. */
  readonly #macs = new Map<number, string>();
  readonly #rows = new Map<string, number>();
  readonly #failures: Failures;
  #seen = '';
  #hasAll = false;

  constructor(options: PacketDevicesOptions) {
    this.#options = options;
    this.#failures = new Failures(options.log);
    this.#host = options.host ?? thisHost;
    for (const [ifindex, { podMac }] of options.interfaces.entries()) {
      this.#written.set(ifindex, '');
      if (podMac !== noMac) this.#macs.set(ifindex, podMac);
    }
  }

  /** A sentence that says why there is nothing to attach to; null if there is something. */
  refusal(): string | null {
    return whyNoLinks(this.#host.links(), this.#options.choice);
  }

  /** Whether interfaces or routes have changed since the last `bring`. */
  hasChanged(): boolean {
    return this.#signature() !== this.#seen;
  }

  /** The largest packet that fits into the tunnel at the narrowest network interface, in bytes; 0 without one. */
  tunnelMtu(): number {
    const mtus = this.#chosen().flatMap(({ use, mtu }) => (use === 'network' ? [mtu] : []));
    return mtus.length === 0 ? 0 : Math.min(...mtus) - tunnelHeaders;
  }

  /** Addresses of pods behind chosen interfaces. */
  pods(): PodAddress[] {
    return this.#podsBehind(this.#chosen());
  }

  #podsBehind(chosen: readonly ChosenLink[]): PodAddress[] {
    const byName = new Map(chosen.map((link) => [link.name, link]));
    return this.#podRoutes().flatMap(({ address, link }) => {
      const of = byName.get(link);
      return of?.use === 'pod' ? [{ address, ifindex: of.ifindex }] : [];
    });
  }

  /**
   * Attaches to the chosen interfaces, also where somebody has detached the programs, and detaches from the others. A failure at one interface is
   * logged and tried again.
   */
  bring(): void {
    this.#seen = this.#signature();
    const chosen = new Map(this.#chosen().map((link) => [link.ifindex, link]));
    for (const ifindex of [...this.#written.keys()]) if (!chosen.has(ifindex)) this.#leave(ifindex);
    this.#failures.retain(new Set(Array.from(chosen.values(), ({ name }) => name)));
    this.#learn([...chosen.values()]);
    let hasAll = true;
    for (const link of chosen.values()) {
      try {
        this.#enter(link);
        this.#failures.fine(link.name, `${link.name} has its programs.`);
      } catch (error) {
        this.#seen = '';
        hasAll = false;
        this.#failures.failed(link.name, `${link.name} has no programs: ${messageOf(error)}`);
      }
    }
    this.#hasAll = hasAll;
  }

  /** Whether the last `bring` failed at no interface, of the network or of a pod. */
  get hasAll(): boolean {
    return this.#hasAll;
  }

  /** Whether every network interface that is up has its programs, so that traffic from outside is served. */
  isAttached(): boolean {
    const chosen = this.#chosen().filter(({ use, isUp }) => use === 'network' && isUp);
    return chosen.length > 0 && chosen.every(({ ifindex }) => this.#attached.has(ifindex));
  }

  /** The row of `statistics` of each network interface that was attached to, by name. */
  get rows(): ReadonlyMap<string, number> {
    return this.#rows;
  }

  /** Closes descriptors; what is pinned stays attached. */
  close(): void {
    for (const letGo of this.#attached.values()) letGo();
    this.#attached.clear();
  }

  #chosen(): ChosenLink[] {
    return chooseLinks(this.#host.links(), this.#options.choice);
  }

  #podRoutes(): PodRoute[] {
    const { v4, v6 } = this.#host.routes();
    return podRoutesIn(v4, v6);
  }

  #signature(): string {
    const { v4, v6 } = this.#host.routes();
    return [...this.#host.names(), v4, v6].join('\n');
  }

  #rowOf({ name, use }: ChosenLink): number {
    if (use === 'pod') return statisticsRows.pods;
    const row = this.#rows.get(name) ?? Math.min(statisticsRows.firstOfNetwork + this.#rows.size, statisticsRows.last);
    this.#rows.set(name, row);
    return row;
  }

  /** Learns hardware addresses. Only the pod is behind its interface; if it has also announced other addresses, the entry of its own address wins. */
  #learn(chosen: readonly ChosenLink[]): void {
    const own = new Set(this.#podsBehind(chosen).map(({ address, ifindex }) => `${ifindex} ${address}`));
    const isOwn = ({ ifindex, address }: Neighbour) => own.has(`${ifindex} ${address}`);
    const isPod = new Set(chosen.flatMap(({ use, ifindex }) => (use === 'pod' ? [ifindex] : [])));
    const all = this.#host.neighbours().filter(({ ifindex }) => isPod.has(ifindex));
    for (const { ifindex, mac } of [...all.filter((one) => !isOwn(one)), ...all.filter(isOwn)])
      this.#macs.set(ifindex, mac);
  }

  #enter(link: ChosenLink): void {
    const { ifindex, use, mtu, mac } = link;
    const own = this.#options.nodeIps();
    const of = (family: 4 | 6) => own.find((one) => familyOf(one) === family) ?? noAddress;
    const entry: Interface = {
      ...{ kind: interfaceKinds[use], mtu, statistics: this.#rowOf(link) },
      ...{ policyIn: 0, policyOut: 0, hostPolicyIn: 0, hostPolicyOut: 0, flags: 0 },
      ...{ hostV4: of(4), hostV6: of(6), hostMac: mac, podMac: this.#macs.get(ifindex) ?? noMac },
    };
    const letGo = this.#attached.get(ifindex);
    if (!letGo) this.#attached.set(ifindex, this.#options.attach(ifindex));
    else if (!this.#options.isAttached(ifindex)) {
      // The pod's interface may have disappeared since the list was read.
      if (!this.#host.links().some((one) => one.ifindex === ifindex)) {
        this.#seen = '';
        return;
      }
      this.#options.log(`${link.name}: its programs were detached from outside. They are attached again.`);
      this.#attached.delete(ifindex);
      try {
        this.#attached.set(ifindex, this.#options.attach(ifindex));
      } finally {
        // Not earlier: the remaining old programs may be attached only through these descriptors.
        letGo();
      }
    }
    const text = JSON.stringify(entry);
    if (this.#written.get(ifindex) === text) return;
    this.#options.interfaces.set(ifindex, entry);
    this.#written.set(ifindex, text);
  }

  #leave(ifindex: number): void {
    this.#options.interfaces.delete(ifindex);
    this.#written.delete(ifindex);
    this.#macs.delete(ifindex);
    this.#attached.get(ifindex)?.();
    this.#attached.delete(ifindex);
    this.#options.detach(ifindex);
  }
}
