/** One instruction (Linux Documentation/bpf/standardization/instruction-set.rst). */
export type Instruction = {
  readonly code: number;
  readonly to?: number;
  readonly from?: number;
  readonly offset?: number;
  readonly value?: number;
};

/** A program that does nothing but return this. */
export const returning = (value: number): Instruction[] => [{ code: 0xb7, value }, { code: 0x95 }];

type Program = { name: string; section: string; instructions: readonly Instruction[] };

/** One eBPF program as an object file for bpftool: this project has none of its own, and no compiler is needed for a few instructions. */
export function bpfObject({ name, section, instructions }: Program): Buffer {
  const code = Buffer.concat(
    instructions.map(({ code, to = 0, from = 0, offset = 0, value = 0 }) => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt8(code, 0);
      bytes.writeUInt8((from << 4) | to, 1);
      bytes.writeInt16LE(offset, 2);
      bytes.writeInt32LE(value, 4);
      return bytes;
    }),
  );
  const names = Buffer.from(`\0${name}\0${section}\0license\0.symtab\0.strtab\0`);
  const at = (text: string) => names.indexOf(`\0${text}\0`) + 1;
  // The symbol is a global function in section 1 (ELF-64 object file format, symbol table entry).
  const symbols = Buffer.alloc(48);
  symbols.writeUInt32LE(at(name), 24);
  symbols.writeUInt8(0x12, 28);
  symbols.writeUInt16LE(1, 30);
  symbols.writeBigUInt64LE(BigInt(code.length), 40);
  const parts = [code, Buffer.from('GPL\0'), symbols, names];
  const offsets = parts.map((_, index) => 64 + parts.slice(0, index).reduce((sum, part) => sum + aligned(part), 0));
  const end = (offsets.at(-1) ?? 0) + aligned(names);
  const sections = [
    sectionHeader({}),
    sectionHeader({ name: at(section), type: 1, flags: 6, offset: offsets[0], size: code.length, align: 8 }),
    sectionHeader({ name: at('license'), type: 1, flags: 3, offset: offsets[1], size: 4, align: 1 }),
    sectionHeader({
      ...{ name: at('.symtab'), type: 2, offset: offsets[2], size: symbols.length, align: 8 },
      ...{ link: 4, info: 1, entry: 24 },
    }),
    sectionHeader({ name: at('.strtab'), type: 3, offset: offsets[3], size: names.length, align: 1 }),
  ];
  const head = Buffer.alloc(64);
  head.write('\x7fELF\x02\x01\x01', 'latin1');
  head.writeUInt16LE(1, 16);
  head.writeUInt16LE(247, 18);
  head.writeUInt32LE(1, 20);
  head.writeBigUInt64LE(BigInt(end), 40);
  head.writeUInt16LE(64, 52);
  head.writeUInt16LE(64, 58);
  head.writeUInt16LE(sections.length, 60);
  head.writeUInt16LE(4, 62);
  return Buffer.concat([head, ...parts.map((part) => Buffer.concat([part], aligned(part))), ...sections]);
}

const aligned = (part: Buffer) => Math.ceil(part.length / 8) * 8;

type Header = Partial<
  Record<'name' | 'type' | 'flags' | 'offset' | 'size' | 'link' | 'info' | 'align' | 'entry', number | undefined>
>;

function sectionHeader(given: Header): Buffer {
  const { name = 0, type = 0, flags = 0, offset = 0, size = 0, link = 0, info = 0, align = 0, entry = 0 } = given;
  const header = Buffer.alloc(64);
  header.writeUInt32LE(name, 0);
  header.writeUInt32LE(type, 4);
  header.writeBigUInt64LE(BigInt(flags), 8);
  header.writeBigUInt64LE(BigInt(offset), 24);
  header.writeBigUInt64LE(BigInt(size), 32);
  header.writeUInt32LE(link, 40);
  header.writeUInt32LE(info, 44);
  header.writeBigUInt64LE(BigInt(align), 48);
  header.writeBigUInt64LE(BigInt(entry), 56);
  return header;
}
