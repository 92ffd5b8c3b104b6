import { describe, expect, test } from 'vitest';
import { ownersIn, tableKeys } from './socket-table.ts';

const end = (address: string, port: number) => ({ address, port });

describe('how the kernel writes a connection', () => {
  test.each([
    [
      '127.0.0.1',
      '127.0.0.1',
      ['0100007F:C5F2 0100007F:0BB8', '0000000000000000FFFF00000100007F:C5F2 0000000000000000FFFF00000100007F:0BB8'],
    ],
    [
      '::ffff:127.0.0.1',
      '127.0.0.1',
      ['0100007F:C5F2 0100007F:0BB8', '0000000000000000FFFF00000100007F:C5F2 0000000000000000FFFF00000100007F:0BB8'],
    ],
    ['::1', '::1', ['00000000000000000000000001000000:C5F2 00000000000000000000000001000000:0BB8']],
    ['fe80::1:2%lo', '::1', ['000080FE000000000000000002000100:C5F2 00000000000000000000000001000000:0BB8']],
    ['2001:db8:1:2:3:4:5:6', '::1', ['B80D0120020001000400030006000500:C5F2 00000000000000000000000001000000:0BB8']],
  ])('%s to %s', (from, to, keys) => {
    expect(tableKeys(end(from, 50_674), end(to, 3000), 'LE')).toEqual(keys);
  });

  test('on a machine of the other byte order', () => {
    expect(tableKeys(end('127.0.0.1', 50_674), end('127.0.0.1', 3000), 'BE')[0]).toBe('7F000001:C5F2 7F000001:0BB8');
  });
});

const header = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const key = '0100007F:C5F2 0100007F:0BB8';
const owners = (...lines: string[]) => [...ownersIn([header, ...lines, ''], new Set([key]))];

test.each([
  [
    'of a user',
    '  12: 0100007F:C5F2 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1000        0 98765 1 0000000000000000 20 4 30 10 -1',
    [[key, 1000]],
  ],
  [
    'in a long table',
    '123456: 0100007F:C5F2 0100007F:0BB8 01 00000000:00000000 02:000A8B3E 00000000 65534        0 98765 2 0000000000000000',
    [[key, 65_534]],
  ],
  [
    'that its program has closed: the kernel says 0 of it, as it would of root',
    '  12: 0100007F:C5F2 0100007F:0BB8 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0000000000000000',
    [],
  ],
  [
    'the other end of the same connection',
    '  12: 0100007F:0BB8 0100007F:C5F2 01 00000000:00000000 00:00000000 00000000     0        0 98765 1 0000000000000000',
    [],
  ],
  ['of something else', 'nonsense', []],
])('a socket %s', (_, line, expected) => {
  expect(owners(line)).toEqual(expected);
});
