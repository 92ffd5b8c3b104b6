import { formatAddress, parseAddress, unmapped } from '#lib/base/ip.ts';
import { BpfError } from './bpf-error.ts';
import type { Field, Shape } from './btf.ts';

/** A record of a map, as bytes and as the agent says it (`data-plane-records.ts`). */
export type RecordCodec<Record> = {
  readonly size: number;
  readonly encode: (record: Record) => Buffer;
  readonly decode: (bytes: Uint8Array) => Record;
};

type Said = number | bigint | string | readonly Said[] | { readonly [name: string]: Said };

/**
 * @param names the fields that `Record` has; null for a bare number
 * @throws BpfError `layout` where the object has others
 */
export function recordCodec<Record>(
  what: string,
  shape: Shape,
  names: readonly (keyof Record)[] | null,
): RecordCodec<Record> {
  const inObject = shape.kind === 'struct' ? fieldsOf(shape).map(({ name }) => camel(name)) : null;
  if (String(inObject && [...inObject].sort()) !== String(names && [...names].sort()))
    throw new BpfError('layout', `${what} has the fields ${inObject} in the object, and ${names} in the agent.`);
  return {
    size: shape.size,
    encode(record) {
      const bytes = Buffer.alloc(shape.size);
      write(bytes, 0, shape, record as Said, what);
      return bytes;
    },
    decode: (bytes) => read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, shape) as Record,
  };
}

const fieldsOf = ({ fields }: { readonly fields: readonly Field[] }) => fields.filter(({ name }) => name !== 'pad');
const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const isMac = (shape: Shape) => shape.kind === 'array' && shape.count === 6 && shape.of.size === 1;

function write(bytes: Buffer, at: number, shape: Shape, said: Said, what: string): void {
  const wrong = (needed: string) =>
    new BpfError('layout', `${what}: ${String(said)} is given where ${needed} is needed.`);
  if (shape.kind === 'number') {
    if (typeof said !== 'number' && typeof said !== 'bigint') throw wrong('a number');
    if (BigInt(said) < 0n || BigInt(said) >= 1n << BigInt(shape.size * 8))
      throw wrong(`a number of ${shape.size} bytes`);
    writeNumber(bytes, at, shape.size, shape.bigEndian, BigInt(said));
  } else if (shape.kind === 'struct' && shape.name === 'address') {
    const address = typeof said === 'string' ? parseAddress(said) : null;
    if (!address) throw wrong('an IP address');
    const value = address.family === 4 ? (0xffffn << 32n) | address.value : address.value;
    writeNumber(bytes, at, 16, true, value);
  } else if (isMac(shape)) {
    const octets = typeof said === 'string' ? said.split(':').map((octet) => Number.parseInt(octet, 16)) : [];
    if (octets.length !== 6 || !octets.every((octet) => octet >= 0 && octet <= 255)) throw wrong('a MAC address');
    bytes.set(octets, at);
  } else if (shape.kind === 'array') {
    if (!Array.isArray(said) || said.length !== shape.count) throw wrong(`a list of ${shape.count}`);
    for (const [index, one] of said.entries()) write(bytes, at + index * shape.of.size, shape.of, one, what);
  } else {
    for (const { name, offset, shape: inner } of fieldsOf(shape)) {
      const one = (said as { readonly [name: string]: Said })[camel(name)];
      if (one === undefined) throw wrong(camel(name));
      write(bytes, at + offset, inner, one, `${what}.${camel(name)}`);
    }
  }
}

function read(bytes: Buffer, at: number, shape: Shape): Said {
  if (shape.kind === 'number') {
    const value = readNumber(bytes, at, shape.size, shape.bigEndian);
    return shape.size === 8 ? value : Number(value);
  }
  if (shape.kind === 'struct' && shape.name === 'address')
    return formatAddress(unmapped({ family: 6, value: readNumber(bytes, at, 16, true) }));
  if (isMac(shape))
    return (
      bytes
        .subarray(at, at + 6)
        .toString('hex')
        .match(/../g) ?? []
    ).join(':');
  if (shape.kind === 'array')
    return Array.from({ length: shape.count }, (_, index) => read(bytes, at + index * shape.of.size, shape.of));
  return Object.fromEntries(
    fieldsOf(shape).map(({ name, offset, shape: inner }) => [camel(name), read(bytes, at + offset, inner)]),
  );
}

function writeNumber(bytes: Buffer, at: number, size: number, bigEndian: boolean, value: bigint): void {
  for (let index = 0; index < size; index++) {
    const shift = BigInt(8 * (bigEndian ? size - 1 - index : index));
    bytes[at + index] = Number((value >> shift) & 0xffn);
  }
}

function readNumber(bytes: Buffer, at: number, size: number, bigEndian: boolean): bigint {
  let value = 0n;
  for (let index = 0; index < size; index++)
    value = (value << 8n) | BigInt(bytes[at + (bigEndian ? index : size - 1 - index)] ?? 0);
  return value;
}
