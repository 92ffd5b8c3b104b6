import { parseAddress } from '#lib/base/ip.ts';
import { netlinkFlags, netlinkMessage, openNetlink } from '../bpf/index.ts';

/** A connection (TCP) that somebody has translated, as the kernel's own tracking is to know it; where both are one, its packets are as they were sent. */
export type Translated = {
  readonly client: string;
  readonly clientPort: number;
  /** What the client has called, and where its packets go instead. */
  readonly service: string;
  readonly servicePort: number;
  readonly backend: string;
  readonly backendPort: number;
  /** The client's port as the backend knows it. */
  readonly seenPort: number;
};

/** Of linux/netlink.h, nfnetlink.h and nfnetlink_conntrack.h. */
const netfilter = 12;
const messages = { create: 0x100, remove: 0x102 } as const;
const { acknowledge, create, exclusive } = netlinkFlags;
const nested = 0x8000;
const attributes = { original: 1, reply: 2, status: 3, protocolInfo: 4, sourceNat: 6, timeout: 7, destinationNat: 13 };
/** A reply was seen, and it is not the first to go when there is no room. */
const status = 2 | 4 | 8;
const tcp = { protocol: 6, established: 3, liberal: 8 } as const;
/** For IPv4 and IPv6: the family's number, and attributes of a tuple's addresses and of a range to translate to. */
const families = {
  4: { number: 2, source: 1, destination: 2, least: 1, most: 2 },
  6: { number: 10, source: 3, destination: 4, least: 4, most: 5 },
} as const;

/** As long as the programs would have kept it without a packet. */
const lastsS = 3600;

function attribute(type: number, ...parts: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  const header = Buffer.alloc(4);
  header.writeUInt16LE(4 + payload.length, 0);
  header.writeUInt16LE(type, 2);
  return Buffer.concat([header, payload, Buffer.alloc((4 - (payload.length % 4)) % 4)]);
}

const nest = (type: number, ...parts: readonly Buffer[]) => attribute(type | nested, ...parts);
const byte = (...values: readonly number[]) => Buffer.from(values);
const short = (value: number) => byte(value >> 8, value & 0xff);
const long = (value: number) => Buffer.concat([short(value >>> 16), short(value & 0xffff)]);

function read(text: string) {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is no address.`);
  const bytes = Buffer.from(address.value.toString(16).padStart(address.family === 4 ? 8 : 32, '0'), 'hex');
  return { ...families[address.family], bytes };
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
 * The messages for one: what the kernel knows of its ports is in the way, be it the backend's half alone or an earlier connection, and goes; then the whole of it
 * as it was begun.
 */
function messagesOf(one: Translated): { readonly remove: readonly Buffer[]; readonly create: Buffer } {
  const client = { address: one.client, port: one.clientPort };
  const service = { address: one.service, port: one.servicePort };
  const backend = { address: one.backend, port: one.backendPort };
  const seen = { address: one.client, port: one.seenPort };
  // Where its numbers are nobody has told the kernel: it takes what it sees.
  const liberal = [4, 5].map((type) => attribute(type, byte(tcp.liberal, tcp.liberal)));
  const body = [
    tuple(attributes.original, client, service),
    tuple(attributes.reply, service, client),
    attribute(attributes.status, long(status)),
    attribute(attributes.timeout, long(lastsS)),
    nest(attributes.protocolInfo, nest(1, attribute(1, byte(tcp.established)), ...liberal)),
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

/** Makes the kernel's own tracking translate these connections from now on. Returns how many it took. */
export function handToHost(all: Iterable<Translated>): number {
  const netlink = openNetlink(netfilter);
  if (netlink === null) return 0;
  let taken = 0;
  try {
    for (const one of all) {
      const { remove, create } = messagesOf(one);
      for (const inTheWay of remove) netlink.isDone(inTheWay);
      if (netlink.isDone(create)) taken++;
    }
  } finally {
    netlink.close();
  }
  return taken;
}
