import { expect, test } from 'vitest';
import { parseAddress } from '#lib/base/ip.ts';
import { addressOf, attribute, attributesIn, bytesOf } from './netlink-attributes.ts';

test.each<[string, number[], string]>([
  ['a whole word', [1, 2, 3, 4], '0800010001020304'],
  ['three bytes are padded, and not counted', [1, 2, 3], '0700010001020300'],
  ['nothing', [], '04000100'],
])('an attribute of %s', (_what, bytes, expected) => {
  expect(attribute(1, Buffer.from(bytes)).toString('hex')).toBe(expected);
});

test('attributes are read as they are written, behind a padded one too', () => {
  const written = Buffer.concat([
    attribute(1, Buffer.from([7])),
    attribute(2, Buffer.from([1, 2]), Buffer.from([3, 4])),
  ]);
  expect([...attributesIn(written)]).toEqual([
    [1, Buffer.from([7])],
    [2, Buffer.from([1, 2, 3, 4])],
  ]);
});

test.each([
  ['10.0.0.7', '0a000007'],
  ['0.0.0.1', '00000001'],
  ['fd00::1', 'fd000000000000000000000000000001'],
])('%s', (text, hex) => {
  const address = parseAddress(text);
  if (address === null) throw new Error('No address.');
  expect(bytesOf(address).toString('hex')).toBe(hex);
  expect(addressOf(bytesOf(address))).toEqual(address);
});
