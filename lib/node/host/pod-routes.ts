import { formatAddress } from '#lib/base/ip.ts';

/** An address that this host reaches by one interface without a gateway: that of a pod, as CNI plugins set up routes. */
export type PodRoute = { readonly address: string; readonly link: string };

/** Flags of linux/route.h and linux/ipv6_route.h. */
const flags = { up: 0x1, gateway: 0x2, reject: 0x200, anycast: 0x0010_0000, cache: 0x0100_0000, local: 0x8000_0000 };
const notOfPods = flags.gateway | flags.reject | flags.anycast | flags.cache | flags.local;
const isOfPod = (hex: string) => {
  const given = Number.parseInt(hex, 16);
  return (given & flags.up) !== 0 && (given & notOfPods) === 0;
};

const linesOf = (text: string) => text.split('\n').map((line) => line.trim().split(/\s+/));

/**
 * Parses the pods' routes. `v4` is /proc/net/route, whose addresses are in the machine's byte order (little-endian on all supported machines); `v6`
 * is /proc/net/ipv6_route.
 */
export function podRoutesIn(v4: string, v6: string): PodRoute[] {
  const ofV4 = linesOf(v4).flatMap(([link = '', destination = '', , given = '', , , , mask]) =>
    mask === 'FFFFFFFF' && isOfPod(given)
      ? [{ link, address: formatAddress({ family: 4, value: swapped(destination) }) }]
      : [],
  );
  const ofV6 = linesOf(v6).flatMap((fields) => {
    const [destination = '', prefix, , , , , , , given = '', link = ''] = fields;
    if (prefix !== '80' || link === 'lo' || !isOfPod(given)) return [];
    return [{ link, address: formatAddress({ family: 6, value: BigInt(`0x${destination}`) }) }];
  });
  return [...ofV4, ...ofV6];
}

const swapped = (hex: string) => BigInt(`0x${(hex.match(/../g) ?? []).reverse().join('')}`);
