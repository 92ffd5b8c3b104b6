import { BpfError } from './bpf-error.ts';
import { textAt } from './elf-section.ts';

/** The layout of a byte range of a record. `size` is in bytes. `bigEndian`: the C type is `__be16` or `__be32`. */
export type Shape =
  | { readonly kind: 'number'; readonly size: number; readonly bigEndian: boolean }
  | { readonly kind: 'array'; readonly size: number; readonly of: Shape; readonly count: number }
  | { readonly kind: 'struct'; readonly size: number; readonly name: string; readonly fields: readonly Field[] };

export type Field = { readonly name: string; readonly offset: number; readonly shape: Shape };

/** The layout of a map's records. `type` is of enum bpf_map_type. */
export type MapShape = { readonly type: number; readonly key: Shape; readonly value: Shape };

type BtfType = {
  readonly name: string;
  readonly kind: number;
  /** The size in bytes; for pointers, modifiers and variables the id of another type. */
  readonly size: number;
  readonly members: readonly { readonly name: string; readonly type: number; readonly offset: number }[];
  readonly element: { readonly type: number; readonly count: number };
};

/** Kinds of include/uapi/linux/btf.h. `extra` has the bytes that follow a type: a fixed part, and one for each member. */
const kinds = {
  int: 1,
  pointer: 2,
  array: 3,
  struct: 4,
  union: 5,
  enum: 6,
  typedef: 8,
  volatile: 9,
  const: 10,
  restrict: 11,
} as const;
const extra: Readonly<Record<number, readonly [fixed: number, each: number]>> = {
  1: [4, 0],
  3: [12, 0],
  4: [0, 12],
  5: [0, 12],
  6: [0, 8],
  13: [0, 8],
  14: [4, 0],
  15: [0, 12],
  17: [4, 0],
  19: [0, 12],
};
const modifiers: readonly number[] = [kinds.typedef, kinds.volatile, kinds.const, kinds.restrict];

/**
 * Type, key and value layout of each map, by the map's name, from an object's section `.BTF` (Documentation/bpf/btf.rst): only the compiler knows
 * where the fields are.
 * @throws BpfError `layout`
 */
export function mapShapes(btf: Uint8Array): ReadonlyMap<string, MapShape> {
  const types = readTypes(btf);
  const at = (id: number): BtfType => {
    const type = types[id];
    if (!type) throw new BpfError('layout', `The object's BTF names a type ${id} that it does not have.`);
    return type;
  };
  const plain = (id: number): BtfType => (modifiers.includes(at(id).kind) ? plain(at(id).size) : at(id));
  const shapeOf = (id: number): Shape => {
    const type = at(id);
    if (type.kind === kinds.typedef && /^__be\d+$/.test(type.name))
      return { kind: 'number', size: plain(id).size, bigEndian: true };
    if (modifiers.includes(type.kind)) return shapeOf(type.size);
    if (type.kind === kinds.int || type.kind === kinds.enum)
      return { kind: 'number', size: type.size, bigEndian: false };
    if (type.kind === kinds.array) {
      const of = shapeOf(type.element.type);
      return { kind: 'array', size: of.size * type.element.count, of, count: type.element.count };
    }
    if (type.kind !== kinds.struct)
      throw new BpfError('layout', `A map of the object holds a type of kind ${type.kind}, which no record has.`);
    const fields = type.members.map(({ name, type: of, offset }) => ({ name, offset, shape: shapeOf(of) }));
    return { kind: 'struct', size: type.size, name: type.name, fields };
  };
  /** A map's structure encodes `__type(key, struct x)` as a pointer to that type. */
  const pointedTo = (map: BtfType, name: string) => {
    const member = map.members.find((one) => one.name === name);
    return member ? shapeOf(at(member.type).size) : null;
  };
  /** It encodes `__uint(type, 1)` as a pointer to an array of that length. */
  const numbered = (map: BtfType, name: string) => {
    const member = map.members.find((one) => one.name === name);
    return member ? at(at(member.type).size).element.count : 0;
  };
  const variables = types.filter((type) => type?.kind === 14);
  return new Map(
    variables.flatMap((variable) => {
      const map = variable && plain(variable.size);
      if (map?.kind !== kinds.struct) return [];
      const [key, value] = [pointedTo(map, 'key'), pointedTo(map, 'value')];
      return key && value ? [[variable?.name ?? '', { type: numbered(map, 'type'), key, value }] as const] : [];
    }),
  );
}

function readTypes(btf: Uint8Array): readonly (BtfType | undefined)[] {
  const view = new DataView(btf.buffer, btf.byteOffset, btf.byteLength);
  try {
    if (view.getUint16(0, true) !== 0xeb9f) throw new BpfError('layout', 'The object has no BTF in its place.');
    const start = view.getUint32(4, true);
    const [typesAt, typesSize] = [start + view.getUint32(8, true), view.getUint32(12, true)];
    const texts = btf.subarray(start + view.getUint32(16, true));
    const types: (BtfType | undefined)[] = [undefined];
    for (let at = typesAt; at < typesAt + typesSize; ) {
      const info = view.getUint32(at + 4, true);
      const [kind, parts] = [(info >> 24) & 0x1f, info & 0xffff];
      const [fixed, each] = extra[kind] ?? [0, 0];
      const body = at + 12;
      const hasMembers = kind === kinds.struct;
      types.push({
        name: textAt(texts, view.getUint32(at, true)),
        kind,
        size: view.getUint32(at + 8, true),
        members: Array.from({ length: hasMembers ? parts : 0 }, (_, index) => ({
          name: textAt(texts, view.getUint32(body + index * 12, true)),
          type: view.getUint32(body + index * 12 + 4, true),
          offset: (view.getUint32(body + index * 12 + 8, true) & 0xffffff) / 8,
        })),
        element:
          kind === kinds.array
            ? { type: view.getUint32(body, true), count: view.getUint32(body + 8, true) }
            : { type: 0, count: 0 },
      });
      at = body + fixed + each * parts;
    }
    return types;
  } catch (error) {
    if (error instanceof RangeError) throw new BpfError('layout', "The object's BTF ends before its types do.");
    throw error;
  }
}
