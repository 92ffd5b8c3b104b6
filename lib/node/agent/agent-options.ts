import type { Clock } from '#lib/kube/index.ts';
import type { DataPlane, DataPlaneMaps } from '../bpf/index.ts';
import type { AskForNeighbours } from '../host/ask-for-neighbours.ts';
import type { PacketDevices } from '../host/packet-devices.ts';
import type { NodeSource } from '../source/source.ts';
import type { NodePortAddresses } from '../sync/host-routes.ts';
import type { WithoutPolicy } from './state/agent-state.ts';

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
