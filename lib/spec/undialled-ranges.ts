import {
  type Address,
  cidrOfAddress,
  contains,
  formatAddress,
  parseAddress,
  parseCidr,
  unmapped,
} from '#lib/base/ip.ts';

/** Ranges of addresses that are local to each machine, so that they cannot be an endpoint. RFC 6890; pain A1. */
export const localRanges: readonly { cidr: string; meaning: string }[] = [
  { cidr: '127.0.0.0/8', meaning: 'a loopback address' },
  { cidr: '::1/128', meaning: 'a loopback address' },
  { cidr: '169.254.0.0/16', meaning: 'a link-local address' },
  { cidr: 'fe80::/10', meaning: 'a link-local address' },
  { cidr: '0.0.0.0/8', meaning: 'the unspecified address' },
  { cidr: '::/128', meaning: 'the unspecified address' },
];

/** `is`: continues "ADDRESS is …", with the consequence. `read`: when the source was read. */
export type UndialledRange = {
  readonly cidr: string;
  readonly is: string;
  readonly source: string;
  readonly read: string;
};

const read = '2026-11-22';
const metadata = 'a cloud metadata address: it hands out credentials of the machine that asks';

/**
 * Ranges in which no remote API server can be, and in which services may listen that trust every client. The first match counts.
 */
export const undialledRanges: readonly UndialledRange[] = [
  {
    cidr: '169.254.169.254/32',
    is: metadata,
    source: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html',
    read,
  },
  {
    cidr: 'fd00:ec2::/32',
    is: metadata,
    source: 'https://docs.aws.amazon.com/whitepapers/latest/ipv6-on-aws/supporting-amazon-vpc-services.html',
    read,
  },
  {
    cidr: 'fd20:ce::254/128',
    is: metadata,
    source: 'https://cloud.google.com/compute/docs/metadata/querying-metadata',
    read,
  },
  {
    cidr: '168.63.129.16/32',
    is: metadata,
    source: 'https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16',
    read,
  },
  {
    cidr: '100.100.100.200/32',
    is: metadata,
    source: 'https://cloudinit.readthedocs.io/en/stable/reference/datasources/aliyun.html',
    read,
  },
  {
    cidr: '192.0.0.0/24',
    is: 'an address of a protocol (one cloud serves its metadata there), and of no server of a cluster',
    source: 'RFC 6890',
    read,
  },
  {
    cidr: 'fd00:c1::a9fe:a9fe/128',
    is: metadata,
    source: 'oracle/oci-python-sdk src/oci/auth/signers/instance_principals_security_token_signer.py',
    read,
  },
  {
    cidr: 'fd00:42::42/128',
    is: metadata,
    source: 'https://cloudinit.readthedocs.io/en/latest/reference/datasources/scaleway.html',
    read,
  },
  {
    cidr: 'fd00:a9fe:a9fe::1/128',
    is: metadata,
    source: 'https://cloudinit.readthedocs.io/en/latest/reference/datasources/akamai.html',
    read,
  },
  ...localRanges.map(({ cidr, meaning }) => ({
    cidr,
    is: `${meaning}: it means another machine wherever it is used`,
    source: 'RFC 6890',
    read,
  })),
  { cidr: '224.0.0.0/4', is: 'a multicast address: it means many machines', source: 'RFC 5771', read },
  { cidr: 'ff00::/8', is: 'a multicast address: it means many machines', source: 'RFC 4291 §2.7', read },
  { cidr: '255.255.255.255/32', is: 'the broadcast address: it means every machine', source: 'RFC 919', read },
  {
    cidr: '64:ff9b:1::/48',
    is: "a network's own NAT64 address: what is behind it cannot be read",
    source: 'RFC 8215',
    read,
  },
  { cidr: '2001::/32', is: 'a Teredo address: what is behind it cannot be read', source: 'RFC 4380', read },
];

/** IPv6 ranges that embed an IPv4 address, and the number of bits after it. */
const carriers: readonly { cidr: string; after: bigint; source: string }[] = [
  { cidr: '::ffff:0:0/96', after: 0n, source: 'RFC 4291 §2.5.5.2, IPv4-mapped' },
  { cidr: '::/96', after: 0n, source: 'RFC 4291 §2.5.5.1, IPv4-compatible' },
  { cidr: '::ffff:0:0:0/96', after: 0n, source: 'RFC 7915, IPv4-translated' },
  { cidr: '64:ff9b::/96', after: 0n, source: 'RFC 6052, NAT64' },
  { cidr: '2002::/16', after: 80n, source: 'RFC 3056, 6to4' },
];

/** The range because of which an address (with or without a zone) must not be dialled; null: none. An IPv4 address embedded in an IPv6 one counts as itself. */
export function undialledRange(ip: string): UndialledRange | null {
  const address = parseAddress(withoutZone(ip));
  if (address === null) return null;
  const forms = [address, ...carriedBy(address)];
  return undialledRanges.find(({ cidr }) => forms.some((form) => isIn(form, cidr))) ?? null;
}

/** The canonical form of an address: IPv6 compressed, IPv4-mapped ones as IPv4, without a zone. Null if it is no address. */
export function canonicalAddress(ip: string): string | null {
  const address = parseAddress(withoutZone(ip));
  return address && formatAddress(unmapped(address));
}

function withoutZone(ip: string): string {
  return ip.split('%')[0] ?? '';
}

function carriedBy(address: Address): Address[] {
  return carriers
    .filter(({ cidr }) => isIn(address, cidr))
    .map(({ after }) => ({ family: 4, value: (address.value >> after) & 0xffff_ffffn }));
}

/** Unlike `isInCidr`, an IPv4-mapped address is in no IPv4 range. */
function isIn(address: Address, cidr: string): boolean {
  const range = parseCidr(cidr);
  return range !== null && contains(range, cidrOfAddress(address));
}
