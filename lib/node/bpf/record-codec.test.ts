import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mapShapes } from './btf.ts';
import { elfSection } from './elf-section.ts';
import { BpfError } from './index.ts';
import { mapFields } from './map-fields.ts';
import { builtObject } from './map-shapes.ts';
import { recordCodec } from './record-codec.ts';

/** The records as in the object that comes with the package. */
const object = readFileSync(builtObject);
const shapes = mapShapes(elfSection(object, '.BTF') ?? Buffer.alloc(0));
const shape = (map: string, part: 'key' | 'value') => {
  const found = shapes.get(map)?.[part];
  if (!found) throw new Error(`no ${part} of ${map}`);
  return found;
};

test.each(Object.values(mapFields))('$inC has the fields in the object that the agent knows', ({ inC, key, value }) => {
  expect(recordCodec<never>(inC, shape(inC, 'key'), key as never).size).toBeGreaterThan(0);
  expect(recordCodec<never>(inC, shape(inC, 'value'), value as never).size).toBeGreaterThan(0);
});

test.each([
  ['IPv4, mapped', '10.96.0.1', '00000000000000000000ffff0a600001'],
  ['IPv6', 'fd00::1', 'fd000000000000000000000000000001'],
  ['every node port of IPv4', '0.0.0.0', '00000000000000000000ffff00000000'],
  ['every node port of IPv6', '::', '00000000000000000000000000000000'],
])('a key of %s is laid out in network order, and read again', (_, address, hex) => {
  const codec = recordCodec('key', shape('services', 'key'), mapFields.services.key);
  const key = { address, port: 443, protocol: 6 };
  expect(codec.encode(key).toString('hex')).toBe(`${hex}01bb0600`);
  expect(codec.decode(codec.encode(key))).toEqual(key);
});

test('an interface keeps its MAC addresses, a service its numbers', () => {
  const inner = { kind: 1, mtu: 1450, statistics: 2, policyIn: 0, policyOut: 0, hostPolicyIn: 0, hostPolicyOut: 0 };
  const macs = { podMac: '02:00:00:00:00:0a', hostMac: 'ee:ee:ee:ee:ee:ee', flags: 0 };
  const one = { ...inner, hostV4: '169.254.1.1', hostV6: 'fe80::1', ...macs };
  const codec = recordCodec('interface', shape('interfaces', 'value'), mapFields.interfaces.value);
  expect(codec.decode(codec.encode(one))).toEqual(one);
  const service = { id: 0x01020304, clusterBackends: 0x0506, localBackends: 0, flags: 8, affinityS: 10_800 };
  const services = recordCodec('service', shape('services', 'value'), mapFields.services.value);
  expect(services.encode(service).toString('hex')).toBe(`04030201060500000800000030${'2a0000'}`);
});

test.each([
  ['an address that is none', { address: '10.0.0.300', port: 1, protocol: 6 }],
  ['a port beyond its bytes', { address: '10.0.0.3', port: 65_536, protocol: 6 }],
  ['a negative number', { address: '10.0.0.3', port: 1, protocol: -1 }],
])('%s is refused, not cut', (_, key) => {
  const codec = recordCodec('key', shape('services', 'key'), mapFields.services.key);
  expect(() => codec.encode(key)).toThrow(BpfError);
});

test('an object with other fields is refused', () => {
  expect(() => recordCodec<{ a: string }>('services', shape('services', 'key'), ['a'])).toThrow(/has the fields/);
});

test.each([0, 3, 40, 64, 1000, object.length / 2])('an object that ends after %d bytes is refused', (length) => {
  expect(() => mapShapes(elfSection(object.subarray(0, length), '.BTF') ?? Buffer.alloc(0))).toThrow(BpfError);
});
