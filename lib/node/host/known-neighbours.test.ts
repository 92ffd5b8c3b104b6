import { expect, test } from 'vitest';
import { neighboursIn } from './known-neighbours.ts';

/** struct ndmsg and two attributes, as Linux sends them: NDA_DST, then NDA_LLADDR. */
const message = (ifindex: string, state: string, ...rest: readonly string[]) =>
  Buffer.from(['0a000000', ifindex, state, '0001', ...rest].join('').replaceAll(/[ :]/g, ''), 'hex');
const v4 = '0800 0100 0a590102';
const v6 = '1400 0100 fd890000000000000000000000010002';
const mac = '0a00 0200 9a:3c:00:00:00:01 0000';

test('a neighbour has the address of either family, and the hardware address that it has answered with', () => {
  expect(neighboursIn([message('07000000', '0200', v4, mac), message('08000000', '8000', v6, mac)])).toEqual([
    { ifindex: 7, address: '10.89.1.2', mac: '9a:3c:00:00:00:01' },
    { ifindex: 8, address: 'fd89::1:2', mac: '9a:3c:00:00:00:01' },
  ]);
});

test.each([
  ['has not answered yet', message('07000000', '0100', v4)],
  ['does not answer any more', message('07000000', '2000', v4, mac)],
  ['is everybody', message('07000000', '4000', v6, '0a00 0200 33:33:00:00:00:01 0000')],
  ['has none', message('07000000', '0200', v4, '0a00 0200 00:00:00:00:00:00 0000')],
  ['has one of another kind of network', message('07000000', '0200', v4, '0800 0200 01020304')],
])('who %s has no hardware address', (_, given) => {
  expect(neighboursIn([given])).toEqual([]);
});
