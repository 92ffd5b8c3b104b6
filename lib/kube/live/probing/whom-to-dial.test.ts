import { expect, test } from 'vitest';
import { noLocalAddress, type OwnServer, whomToDial } from './whom-to-dial.ts';

const elsewhere: OwnServer = { addresses: ['203.0.113.7'], port: 6443 };
const tunnel: OwnServer = { addresses: ['127.0.0.1', '::1'], port: 6443 };

function dialled(addresses: readonly string[], own = elsewhere, port = 6443): string[] {
  const targets = addresses.map((address) => ({ address, port }));
  return whomToDial(targets, { own, rule: noLocalAddress, most: 8 }).dial.map(({ address }) => address);
}

test('local and metadata addresses are left alone, in every way to write them, and told', () => {
  const local = ['127.0.0.1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '169.254.169.254', 'fe80::1%lo', '0.0.0.0', '::'];
  expect(dialled(['10.0.0.1', ...local])).toEqual(['10.0.0.1']);
  const { leftAlone } = whomToDial([{ address: '169.254.169.254', port: 80 }], {
    own: elsewhere,
    rule: noLocalAddress,
    most: 8,
  });
  expect(leftAlone).toEqual([
    { address: '169.254.169.254:80', because: expect.stringMatching(/^is a cloud metadata address/) },
  ]);
});

test("the kubeconfig's own server on loopback is dialled, and no other port or address there", () => {
  expect(dialled(['127.0.0.1'], tunnel)).toEqual(['127.0.0.1']);
  expect(dialled(['::ffff:127.0.0.1'], tunnel)).toEqual(['::ffff:127.0.0.1']);
  expect(dialled(['127.0.0.2'], tunnel)).toEqual([]);
  expect(dialled(['127.0.0.1'], tunnel, 2379)).toEqual([]);
  expect(dialled(['127.0.0.1'], { addresses: [], port: 6443 })).toEqual([]);
});

test('a long list is cut, a repeated address counts once, and what is no address is not dialled', () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ address: `10.0.${n >> 8}.${n & 255}`, port: 6443 }));
  const { dial, leftAlone } = whomToDial(many, { own: elsewhere, rule: noLocalAddress, most: 8 });
  expect([dial.length, leftAlone.length, leftAlone[0]]).toEqual([
    8,
    32,
    { address: '10.0.0.8:6443', because: 'comes after the first 8' },
  ]);
  expect(dialled(['10.0.0.1', '::ffff:10.0.0.1', '10.0.0.1'])).toEqual(['10.0.0.1']);
  expect(dialled(['2130706433', '0x7f.1', '0177.0.0.1', '127.0.0.1.', 'localhost', ''])).toEqual([]);
});
