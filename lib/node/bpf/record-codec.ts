import { dottedNumber, formatAddress, parseAddress } from '#lib/base/ip.ts';
import { BpfError } from './bpf-error.ts';
import type { Field, Shape } from './btf.ts';

/** Converts a map's record between its bytes and its form in the agent (`data-plane-records.ts`). */
export type RecordCodec<Record> = {
  readonly size: number;
  readonly encode: (record: Record) => Buffer;
  /** Writes a record into bytes that are zero. */
  readonly encodeAt: (bytes: Buffer, at: number, record: Record) => void;
  readonly decode: (bytes: Uint8Array) => Record;
};

/** Writes a value into bytes that are zero, and reads it. */
type Part = {
  readonly write: (bytes: Buffer, at: number, value: FieldValue) => void;
  readonly read: (bytes: Buffer, at: number) => FieldValue;
};

type FieldValue = number | bigint | string | readonly FieldValue[] | { readonly [name: string]: FieldValue };

/**
 * Makes the codec of a record. It decides once what to do with each byte, because tens of thousands of records are written when an agent starts.
 * @param names the fields of `Record`; null for a bare number
 * @throws BpfError `layout` if the fields of the object differ
 */
export function recordCodec<Record>(
  what: string,
  shape: Shape,
  names: readonly (keyof Record)[] | null,
): RecordCodec<Record> {
  const inObject = shape.kind === 'struct' ? fieldsOf(shape).map(({ name }) => camel(name)) : null;
  if (String(inObject && [...inObject].sort()) !== String(names && [...names].sort()))
    throw new BpfError('layout', `${what} has the fields ${inObject} in the object, and ${names} in the agent.`);
  const part = partOf(shape, what);
  return {
    size: shape.size,
    encode(record) {
      const bytes = Buffer.allocUnsafe(shape.size).fill(0);
      part.write(bytes, 0, record as FieldValue);
      return bytes;
    },
    encodeAt(bytes, at, record) {
      part.write(bytes, at, record as FieldValue);
    },
    decode: (bytes) => part.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0) as Record,
  };
}

type StructShape = Extract<Shape, { kind: 'struct' }>;
type ArrayShape = Extract<Shape, { kind: 'array' }>;
type NumberShape = Extract<Shape, { kind: 'number' }>;

const fieldsOf = ({ fields }: { readonly fields: readonly Field[] }) => fields.filter(({ name }) => name !== 'pad');
const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const isMac = (shape: ArrayShape) => shape.count === 6 && shape.of.size === 1;

const wrong = (what: string, value: FieldValue | undefined, needed: string) =>
  new BpfError('layout', `${what}: ${String(value)} is given where ${needed} is needed.`);

/** `what` names the field in errors about wrong values. */
function partOf(shape: Shape, what: string): Part {
  if (shape.kind === 'number') return shape.size === 8 ? longPart(shape, what) : numberPart(shape, what);
  if (shape.kind === 'array') return isMac(shape) ? macPart(what) : arrayPart(shape, what);
  return shape.name === 'address' ? addressPart(what) : structPart(shape, what);
}

function numberPart({ size, bigEndian }: NumberShape, what: string): Part {
  const { store, read } = numberMethods(size, bigEndian);
  const beyond = 2 ** (size * 8);
  return {
    write(bytes, at, value) {
      if (typeof value !== 'number') throw wrong(what, value, 'a number');
      if (!Number.isInteger(value) || value < 0 || value >= beyond)
        throw wrong(what, value, `a number of ${size} bytes`);
      store(bytes, at, value);
    },
    read: (bytes, at) => bytes[read](at),
  };
}

type Store = (bytes: Buffer, at: number, value: number) => void;

/** Store numbers that are known to fit. The methods of a Buffer check each once more, which takes longer than the write. */
const stores = {
  one(bytes, at, value) {
    bytes[at] = value;
  },
  twoLittle(bytes, at, value) {
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
  },
  twoBig(bytes, at, value) {
    bytes[at] = value >>> 8;
    bytes[at + 1] = value;
  },
  fourLittle(bytes, at, value) {
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
  },
  fourBig(bytes, at, value) {
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
  },
} as const satisfies Record<string, Store>;

function numberMethods(size: number, bigEndian: boolean) {
  if (size === 1) return { store: stores.one, read: 'readUInt8' } as const;
  if (size === 2)
    return bigEndian
      ? ({ store: stores.twoBig, read: 'readUInt16BE' } as const)
      : ({ store: stores.twoLittle, read: 'readUInt16LE' } as const);
  if (size === 4)
    return bigEndian
      ? ({ store: stores.fourBig, read: 'readUInt32BE' } as const)
      : ({ store: stores.fourLittle, read: 'readUInt32LE' } as const);
  throw new BpfError('layout', `A number of ${size} bytes is in the object.`);
}

/** A number of 8 bytes is a bigint, because it may exceed what a number holds exactly. */
function longPart({ bigEndian }: NumberShape, what: string): Part {
  const [write, read] = bigEndian
    ? (['writeBigUInt64BE', 'readBigUInt64BE'] as const)
    : (['writeBigUInt64LE', 'readBigUInt64LE'] as const);
  return {
    write(bytes, at, value) {
      if (typeof value !== 'bigint') throw wrong(what, value, 'a bigint');
      if (value < 0n || value >= 1n << 64n) throw wrong(what, value, 'a number of 8 bytes');
      bytes[write](value, at);
    },
    read: (bytes, at) => bytes[read](at),
  };
}

/** IPv4 addresses are mapped into `::ffff:0:0/96`. */
const mapped = 0xffff;

const addressPart = (what: string): Part => ({
  write(bytes, at, value) {
    const dotted = typeof value === 'string' ? dottedNumber(value) : null;
    if (dotted !== null) {
      stores.twoBig(bytes, at + 10, mapped);
      stores.fourBig(bytes, at + 12, dotted);
      return;
    }
    const address = typeof value === 'string' ? parseAddress(value) : null;
    if (!address) throw wrong(what, value, 'an IP address');
    bytes.writeBigUInt64BE(address.value >> 64n, at);
    bytes.writeBigUInt64BE(address.value & (2n ** 64n - 1n), at + 8);
  },
  read(bytes, at) {
    const isV4 = bytes.readUInt32BE(at + 8) === mapped && bytes.readBigUInt64BE(at) === 0n;
    if (isV4) return bytes.subarray(at + 12, at + 16).join('.');
    return formatAddress({ family: 6, value: (bytes.readBigUInt64BE(at) << 64n) | bytes.readBigUInt64BE(at + 8) });
  },
});

const macPart = (what: string): Part => ({
  write(bytes, at, value) {
    const octets = typeof value === 'string' ? value.split(':').map((octet) => Number.parseInt(octet, 16)) : [];
    if (octets.length !== 6 || !octets.every((octet) => octet >= 0 && octet <= 255))
      throw wrong(what, value, 'a MAC address');
    bytes.set(octets, at);
  },
  read: (bytes, at) =>
    (
      bytes
        .subarray(at, at + 6)
        .toString('hex')
        .match(/../g) ?? []
    ).join(':'),
});

function arrayPart({ of, count }: ArrayShape, what: string): Part {
  const each = partOf(of, what);
  return {
    write(bytes, at, value) {
      if (!Array.isArray(value) || value.length !== count) throw wrong(what, value, `a list of ${count}`);
      for (const [index, one] of value.entries()) each.write(bytes, at + index * of.size, one);
    },
    read: (bytes, at) => Array.from({ length: count }, (_, index) => each.read(bytes, at + index * of.size)),
  };
}

function structPart(shape: StructShape, what: string): Part {
  const fields = fieldsOf(shape).map(({ name, offset, shape: inner }) => ({
    name: camel(name),
    offset,
    part: partOf(inner, `${what}.${camel(name)}`),
  }));
  return {
    write(bytes, at, value) {
      for (const { name, offset, part } of fields) {
        const one = (value as { readonly [name: string]: FieldValue })[name];
        if (one === undefined) throw wrong(what, one, name);
        part.write(bytes, at + offset, one);
      }
    },
    read: (bytes, at) =>
      Object.fromEntries(fields.map(({ name, offset, part }) => [name, part.read(bytes, at + offset)])),
  };
}
