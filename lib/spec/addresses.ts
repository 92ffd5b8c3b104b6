import { BlockList, isIP } from 'node:net';

/** Addresses that mean another machine on every machine, so that no endpoint can be one. RFC 6890; pain A1. */
export const localRanges: readonly { cidr: string; meaning: string }[] = [
  { cidr: '127.0.0.0/8', meaning: 'a loopback address' },
  { cidr: '::1/128', meaning: 'a loopback address' },
  { cidr: '169.254.0.0/16', meaning: 'a link-local address' },
  { cidr: 'fe80::/10', meaning: 'a link-local address' },
  { cidr: '0.0.0.0/8', meaning: 'the unspecified address' },
  { cidr: '::/128', meaning: 'the unspecified address' },
];

/** Whether an IP address lies in a CIDR; false for anything that is not one. `::ffff:127.0.0.1` lies in 127.0.0.0/8. */
export function isInCidr(ip: string, cidr: string): boolean {
  const [network = '', prefix = ''] = cidr.split('/');
  const family = isIP(network);
  const wanted = isIP(ip);
  if (family === 0 || wanted === 0 || !/^\d{1,3}$/.test(prefix)) return false;
  if (Number(prefix) > (family === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  range.addSubnet(network, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  return range.check(ip, wanted === 4 ? 'ipv4' : 'ipv6');
}
