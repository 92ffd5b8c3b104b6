/** The enumerations of `bpf/*.h`. A test compares them with the headers. */

export const protocols = { TCP: 6, UDP: 17 } as const;

export const serviceFlags = { insideLocal: 1, outsideLocal: 2, sourceRanges: 4, affinity: 8, nodePort: 16 } as const;

/** `local`: backends on this node, always written. Packets out of a tunnel, and those under traffic policy `Local`, use only these. */
export const backendLists = { cluster: 0, local: 1 } as const;

export const backendFlags = { local: 1, hostNetwork: 2 } as const;

export const routeFlags = { local: 1, pod: 2, host: 4, nodePorts: 8, tunnel: 16, noDsr: 32, byStack: 64 } as const;

export const interfaceKinds = { pod: 1, network: 2 } as const;

export const configFlags = { synced: 1, dsr: 2, udpOfHostAlone: 4, leaving: 8, holdsFlows: 16 } as const;

/** Seconds without a packet after which an entry no longer counts. */
export const flowLasts = {
  tcpOpening: 20,
  tcpEstablished: 3600,
  tcpHalfClosed: 120,
  tcpClosed: 30,
  datagram: 60,
} as const;

/** TCP flags seen on a connection, by direction. */
export const tcpSeen = { syn: 1, fin: 2, rst: 4, ack: 8 } as const;

export const flowFlags = { openedByB: 1, dsr: 2, fromOutside: 4, toItself: 8, hostBackend: 16, byStack: 32 } as const;

export const flowTypes = { plain: 1, service: 2, backend: 3, handedOn: 4 } as const;

/**
 * VNI and port of the tunnel that carries node ports to the backend's node. Agents of different versions use it between them, so it never changes.
 */
export const tunnelDefaults = { vni: 5_333_146, port: 4789 } as const;

/** The outcome for a packet, or for a connection at the socket (`connected`, `refused`). */
export const outcomes = {
  ...{ forwarded: 0, leftToStack: 1, noBackend: 2, malformed: 3, spoofedSource: 4, spoofedTunnel: 5, sourceRange: 6 },
  ...{ tooBig: 7, ttl: 8, tableFull: 9, rewriteFailed: 10, connected: 11, refused: 12, answerLimit: 13 },
  ...{ noNeighbour: 14, noRoute: 15 },
} as const;

export type Outcome = keyof typeof outcomes;
