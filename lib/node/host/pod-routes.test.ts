import { expect, test } from 'vitest';
import { podRoutesIn } from './pod-routes.ts';

/** As Linux prints them. */
const v4 = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	010200C0	0003	0	0	0	00000000	0	0	0
cali1	0201590A	00000000	0005	0	0	0	FFFFFFFF	0	0	0
eth0	0302590A	020200C0	0007	0	0	0	FFFFFFFF	0	0	0
*	0402590A	00000000	0205	0	0	0	FFFFFFFF	0	0	0
eth0	000200C0	00000000	0001	0	0	0	00FFFFFF	0	0	0
`;
const none = '0'.repeat(32);
const v6 = `fd89000000000000000000000001000${2} 80 ${none} 00 ${none} 00000400 00000001 00000000 00000001 cali1
fd880000000000000001000000000002 80 ${none} 00 ${none} 00000000 00000002 00000000 80200001 eth0
fd880000000000000001000000000000 40 ${none} 00 ${none} 00000100 00000001 00000000 00000001 eth0
00000000000000000000000000000001 80 ${none} 00 ${none} 00000000 00000002 00000000 00000001 lo
`;

test('a pod is an address that an interface has alone: no gateway, no network, no own address, nothing refused', () => {
  expect(podRoutesIn(v4, v6)).toEqual([
    { link: 'cali1', address: '10.89.1.2' },
    { link: 'cali1', address: 'fd89::1:2' },
  ]);
});

test('of a kernel without a family there are none', () => {
  expect(podRoutesIn('', '')).toEqual([]);
});
