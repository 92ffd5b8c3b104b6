import { createSocket } from 'node:dgram';

/** What a DNS server of a test knows, by name in lower case. A name that is not there does not exist; an empty row has no record of that type. */
export type Zone = Readonly<
  Record<string, { readonly a?: readonly string[]; readonly cname?: string; readonly ttl?: number }>
>;

const types = { a: 1, cname: 5 } as const;

/**
 * A DNS server on 127.0.0.1 that answers questions for A and CNAME (RFC 1035), and nothing else. `silent`: it never answers.
 * `onQuestion`: returns the zone for each question, for tests whose records change.
 */
export async function nameServer(
  zone: Zone,
  { silent = false, onQuestion = () => zone }: { silent?: boolean; onQuestion?: () => Zone } = {},
): Promise<{ address: string; close(): Promise<void> }> {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    if (!silent) socket.send(answerTo(message, onQuestion()), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function answerTo(message: Buffer, zone: Zone): Buffer {
  const end = 12 + message.subarray(12).indexOf(0) + 1;
  const name = labels(message.subarray(12, end)).toLowerCase();
  const type = message.readUInt16BE(end);
  const row = zone[name];
  const records = row ? recordsOf(name, type, zone) : [];
  const header = Buffer.alloc(12);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (row ? 0 : 3), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, message.subarray(12, end + 4), ...records]);
}

/** Follows aliases as a server does, and gives up where they lead in a circle. */
function recordsOf(name: string, type: number, zone: Zone, aliasesLeft = 4): Buffer[] {
  const { a = [], cname, ttl = 60 } = zone[name] ?? {};
  const alias = cname === undefined ? [] : [record(name, types.cname, ttl, encoded(cname))];
  if (type === types.cname) return alias;
  if (type !== types.a) return [];
  if (cname !== undefined)
    return aliasesLeft === 0 ? alias : [...alias, ...recordsOf(cname, type, zone, aliasesLeft - 1)];
  return a.map((address) => record(name, types.a, ttl, Buffer.from(address.split('.').map(Number))));
}

function record(name: string, type: number, ttl: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(ttl, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encoded(name), fixed, data]);
}

function encoded(name: string): Buffer {
  const parts = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...parts, Buffer.from([0])]);
}

function labels(wire: Buffer): string {
  const found: string[] = [];
  for (let at = 0; wire[at]; at += (wire[at] ?? 0) + 1)
    found.push(wire.subarray(at + 1, at + 1 + (wire[at] ?? 0)).toString());
  return found.join('.');
}
