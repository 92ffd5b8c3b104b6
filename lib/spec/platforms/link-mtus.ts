/** Default MTU of the network between nodes, in bytes. */
export type LinkMtu = {
  /** Prefix of `Node.spec.providerID`; null: any other network. */
  readonly providerID: string | null;
  readonly title: string;
  readonly mtu: number;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

/** Bytes that VXLAN adds to a packet over IPv4. */
export const vxlanOverhead = 50;

/** The same over IPv6 (https://docs.tigera.io/calico/latest/networking/configuring/mtu). */
export const vxlanOverheadOverIPv6 = 70;

const read = '2026-11-21';

export const linkMtus: readonly LinkMtu[] = [
  {
    providerID: 'aws://',
    title: 'AWS',
    mtu: 9001,
    source: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/network_mtu.html',
    read,
  },
  { providerID: 'gce://', title: 'Google Cloud', mtu: 1460, source: 'https://cloud.google.com/vpc/docs/mtu', read },
  {
    providerID: 'gce://',
    title: 'Google Cloud with jumbo frames',
    mtu: 8896,
    source: 'https://cloud.google.com/vpc/docs/mtu',
    read,
  },
  {
    providerID: null,
    title: 'Ethernet',
    mtu: 1500,
    source: 'https://docs.tigera.io/calico/latest/networking/configuring/mtu',
    read,
  },
  {
    providerID: null,
    title: 'Ethernet with jumbo frames',
    mtu: 9000,
    source: 'observed: what switches are set to for jumbo frames',
    read,
  },
];

/** Possible MTUs of the network under a node. On AWS also 1500, because jumbo frames are off across regions and on older machines. */
export function linkMtusUnder(providerID: string | null): readonly LinkMtu[] {
  const own = linkMtus.filter((row) => row.providerID !== null && providerID?.startsWith(row.providerID));
  const ethernet = linkMtus.filter((row) => row.providerID === null);
  return own.length === 0 ? ethernet : [...own, ...ethernet.filter(({ mtu }) => mtu === 1500)];
}
