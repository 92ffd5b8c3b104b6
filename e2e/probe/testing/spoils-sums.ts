import type { Instruction } from './bpf-object.ts';

/** Offsets in an Ethernet frame that carries VXLAN in IPv4: 14, 20, 8 and 8 bytes of headers, then the inner frame with 14 and 20. */
const at = { source: 28, port: 36, innerFragment: 70, innerProtocol: 72, innerSum: 90 };

const loadBytes = 26;
const storeBytes = 9;

/** r6 is the packet; two bytes of it, at fp-8. */
const load = (offset: number): Instruction[] => [
  { code: 0xbf, to: 1, from: 6 },
  { code: 0xb7, to: 2, value: offset },
  { code: 0xbf, to: 3, from: 10 },
  { code: 0x07, to: 3, value: -8 },
  { code: 0xb7, to: 4, value: 2 },
  { code: 0x85, value: loadBytes },
  { code: 0x69, to: 7, from: 10, offset: -8 },
];

/**
 * A filter that overwrites the sum of the inner UDP datagram of a VXLAN packet from this address (its last two numbers) that is not in parts, as a network card does that computes it wrongly; of
 * one in parts the kernel has computed it, and no card touches it (pain D3).
 */
export function spoilsSums(source: string): Instruction[] {
  const [, , third = 0, fourth = 0] = source.split('.').map(Number);
  const head: Instruction[] = [{ code: 0xbf, to: 6, from: 1 }, ...load(at.source)];
  const port = load(at.port);
  const fragment = load(at.innerFragment);
  // The second byte of two; ICMP has its sum from the kernel.
  const protocol: Instruction[] = [...load(at.innerProtocol), { code: 0x77, to: 7, value: 8 }];
  const store: Instruction[] = [
    { code: 0x62, to: 10, offset: -8, value: 0x3412 },
    { code: 0xbf, to: 1, from: 6 },
    { code: 0xb7, to: 2, value: at.innerSum },
    { code: 0xbf, to: 3, from: 10 },
    { code: 0x07, to: 3, value: -8 },
    { code: 0xb7, to: 4, value: 2 },
    { code: 0xb7, to: 5, value: 0 },
    { code: 0x85, value: storeBytes },
  ];
  const afterPort = fragment.length + 2 + protocol.length + 1 + store.length;
  // Little-endian: 4789 is 0x12b5, and the 14 bits of more parts and offset are 0xff3f.
  return [
    ...head,
    { code: 0x55, to: 7, value: (fourth << 8) | third, offset: port.length + 1 + afterPort },
    ...port,
    { code: 0x55, to: 7, value: 0xb512, offset: afterPort },
    ...fragment,
    { code: 0x57, to: 7, value: 0xff3f },
    { code: 0x55, to: 7, value: 0, offset: protocol.length + 1 + store.length },
    ...protocol,
    { code: 0x55, to: 7, value: 17, offset: store.length },
    ...store,
    { code: 0xb7, to: 0, value: -1 },
    { code: 0x95 },
  ];
}
