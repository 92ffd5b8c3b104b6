import { readFileSync } from 'node:fs';
import { parseAddress } from '#lib/base/ip.ts';
import { flowLasts, netlinkFlags, netlinkMessage, openNetlink } from '../bpf/index.ts';
import { inTurns } from '../sync/in-turns.ts';
import { attribute, bytesOf } from './netlink-attributes.ts';

/** A TCP connection to enter in the kernel's connection tracking. If service and backend are equal, its packets are not translated. */
export type TranslatedConnection = {
  readonly client: string;
  readonly clientPort: number;
  /** The address that the client has called, and the backend to which its packets go instead. */
  readonly service: string;
  readonly servicePort: number;
  readonly backend: string;
  readonly backendPort: number;
  /** The client's port as the backend sees it. */
  readonly seenPort: number;
  /** The handshake is not complete. */
  readonly isOpening: boolean;
};

/** Numbers of linux/netlink.h, nfnetlink.h and nfnetlink_conntrack.h. */
const netfilter = 12;
const messages = { create: 0x100, remove: 0x102 } as const;
const { acknowledge, create, exclusive } = netlinkFlags;
const nested = 0x8000;
const attributes = { original: 1, reply: 2, status: 3, protocolInfo: 4, sourceNat: 6, timeout: 7, destinationNat: 13 };
const status = { replySeen: 2, assured: 4, confirmed: 8 } as const;
const tcp = { protocol: 6, synReceived: 2, established: 3, liberal: 8 } as const;
/** For IPv4 and IPv6: the family's number, and the attributes of a tuple's addresses and of a range for translation. */
const families = {
  4: { number: 2, source: 1, destination: 2, least: 1, most: 2 },
  6: { number: 10, source: 3, destination: 4, least: 4, most: 5 },
} as const;

/**
 * The state of an entry. An established connection lasts as long without packets as with our programs, and is not the first to go when the table is
 * full. An opening one lasts a minute, as the kernel's own (nf_conntrack_tcp_timeout_syn_recv), and goes first, because a flood consists of such. It
 * is entered as SYN_RECV, not SYN_SENT: its answer may have arrived after it was read, and only SYN_RECV accepts that.
 */
const takenUp = {
  opening: { state: tcp.synReceived, status: status.replySeen | status.confirmed, lastsS: 60 },
  established: {
    state: tcp.established,
    status: status.replySeen | status.assured | status.confirmed,
    lastsS: flowLasts.tcpEstablished,
  },
} as const;

/** The share of the kernel's free entries that may be used; the rest is for new connections. */
const mostShare = 0.75;

const nest = (type: number, ...parts: readonly Buffer[]) => attribute(type | nested, ...parts);
const byte = (...values: readonly number[]) => Buffer.from(values);
const short = (value: number) => byte(value >> 8, value & 0xff);
const long = (value: number) => Buffer.concat([short(value >>> 16), short(value & 0xffff)]);

function read(text: string) {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is not an IP address.`);
  return { ...families[address.family], bytes: bytesOf(address) };
}

type End = { readonly address: string; readonly port: number };

const isSame = (one: End, other: End) => one.address === other.address && one.port === other.port;

function tuple(type: number, from: End, to: End): Buffer {
  const [source, destination] = [read(from.address), read(to.address)];
  return nest(
    type,
    nest(1, attribute(source.source, source.bytes), attribute(destination.destination, destination.bytes)),
    nest(2, attribute(1, byte(tcp.protocol)), attribute(2, short(from.port)), attribute(3, short(to.port))),
  );
}

function translation(type: number, { address, port }: End): Buffer {
  const { least, most, bytes } = read(address);
  return nest(
    type,
    attribute(least, bytes),
    attribute(most, bytes),
    nest(3, attribute(1, short(port)), attribute(2, short(port))),
  );
}

/**
 * The messages for one connection: first remove what the kernel tracks under the same addresses and ports, either the backend's half or an earlier
 * connection; then create the complete entry.
 */
function messagesOf(one: TranslatedConnection): { readonly remove: readonly Buffer[]; readonly create: Buffer } {
  const client = { address: one.client, port: one.clientPort };
  const service = { address: one.service, port: one.servicePort };
  const backend = { address: one.backend, port: one.backendPort };
  const seen = { address: one.client, port: one.seenPort };
  // The kernel does not know the connection's sequence numbers, so it must accept any.
  const liberal = [4, 5].map((type) => attribute(type, byte(tcp.liberal, tcp.liberal)));
  const as = takenUp[one.isOpening ? 'opening' : 'established'];
  const body = [
    tuple(attributes.original, client, service),
    tuple(attributes.reply, service, client),
    attribute(attributes.status, long(as.status)),
    attribute(attributes.timeout, long(as.lastsS)),
    nest(attributes.protocolInfo, nest(1, attribute(1, byte(as.state)), ...liberal)),
    ...(isSame(service, backend) ? [] : [translation(attributes.destinationNat, backend)]),
    ...(one.seenPort === one.clientPort ? [] : [translation(attributes.sourceNat, seen)]),
  ];
  const { number } = read(one.client);
  const inTheWay = [
    [client, service],
    [seen, backend],
    [backend, seen],
  ] as const;
  return {
    remove: inTheWay.map(([from, to]) => message(messages.remove, 0, number, [tuple(attributes.original, from, to)])),
    create: message(messages.create, create | exclusive, number, body),
  };
}

const message = (type: number, flags: number, family: number, body: readonly Buffer[]) =>
  netlinkMessage(type, acknowledge | flags, byte(family, 0, 0, 0), ...body);

/** How many connections the kernel's connection tracking may be given; 0 if it has no table. */
export function roomOfHost(): number {
  try {
    const read = (name: string) => Number(readFileSync(`/proc/sys/net/netfilter/nf_conntrack_${name}`, 'utf8'));
    // A limit of 0 means no limit.
    const most = read('max') || Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor((most - read('count')) * mostShare));
  } catch {
    return 0;
  }
}

/**
 * Enters connections in the kernel's connection tracking, which translates them from then on, in this thread's network namespace. Returns how many it
 * took. Rejects with the signal's reason once it aborts; what was entered by then stays and does no harm.
 */
export async function handToHost(all: Iterable<TranslatedConnection>, signal: AbortSignal): Promise<number> {
  const netlink = openNetlink(netfilter);
  if (netlink === null) return 0;
  let [taken, looks] = [0, 0];
  try {
    for (const one of all) {
      const { remove, create } = messagesOf(one);
      for (const inTheWay of remove) netlink.isDone(inTheWay);
      if (netlink.isDone(create)) taken++;
      await inTurns(++looks, signal);
    }
  } finally {
    netlink.close();
  }
  return taken;
}
