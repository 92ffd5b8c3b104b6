/**
 * Encodes and decodes one call of etcd's API, `etcdserverpb.KV/Range`, whose fields have had the same numbers since v3.0 (etcd,
 * api/etcdserverpb/rpc.proto and api/mvccpb/kv.proto; read 2026-11-23). Answers are untrusted: a length beyond the message is an error.
 */

/** `end`: the first key after the range; without it only `key` is read. */
export type RangeRequest = { readonly key: string; readonly end?: string; readonly limit: number };
export type KeyValue = { readonly key: string; readonly value: string };
export type RangeResponse = { readonly found: readonly KeyValue[]; readonly more: boolean };

const requestFields = { key: 1, rangeEnd: 2, limit: 3 } as const;
const responseFields = { kvs: 2, more: 3 } as const;
const keyValueFields = { key: 1, value: 5 } as const;

const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

export function encodeRange({ key, end, limit }: RangeRequest): Buffer {
  return Buffer.concat([
    bytesField(requestFields.key, key),
    ...(end === undefined ? [] : [bytesField(requestFields.rangeEnd, end)]),
    varint((requestFields.limit << 3) | wire.varint),
    varint(limit),
  ]);
}

/** Throws RangeError if the bytes are no such message. */
export function decodeRange(message: Uint8Array): RangeResponse {
  const found: KeyValue[] = [];
  let more = false;
  for (const { field, number, bytes } of fieldsOf(message)) {
    if (field === responseFields.more) more = number !== 0;
    if (field === responseFields.kvs && bytes !== null) found.push(keyValue(bytes));
  }
  return { found, more };
}

function keyValue(message: Uint8Array): KeyValue {
  const texts = new Map(
    [...fieldsOf(message)].map(({ field, bytes }) => [
      field,
      bytes === null ? '' : Buffer.from(bytes).toString('utf8'),
    ]),
  );
  return { key: texts.get(keyValueFields.key) ?? '', value: texts.get(keyValueFields.value) ?? '' };
}

/** The first key after all keys with this prefix, as etcd's clients request a prefix. */
export function afterPrefix(prefix: string): string {
  const last = prefix.charCodeAt(prefix.length - 1);
  return prefix.slice(0, -1) + String.fromCharCode(last + 1);
}

function bytesField(field: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([varint((field << 3) | wire.bytes), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

type Field = { readonly field: number; readonly number: number; readonly bytes: Uint8Array | null };

function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0;
  /** Numbers beyond 2^53 are revisions and ids, which are not used here. */
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 10; shift++) {
      const byte = message[at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** (7 * shift);
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number does not end');
  };
  const take = (length: number): Uint8Array => {
    if (length > message.length - at) throw new RangeError('a field is longer than its message');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = readVarint();
    const field = Math.floor(tag / 8);
    switch (tag % 8) {
      case wire.varint:
        yield { field, number: readVarint(), bytes: null };
        break;
      case wire.fixed64:
        take(8);
        break;
      case wire.bytes:
        yield { field, number: 0, bytes: take(readVarint()) };
        break;
      case wire.fixed32:
        take(4);
        break;
      default:
        throw new RangeError('a field has an unknown type');
    }
  }
}
