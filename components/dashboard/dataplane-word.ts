const words: Readonly<Record<string, string>> = {
  BPF: 'eBPF data plane',
  Iptables: 'iptables data plane',
  Nftables: 'nftables data plane',
  VPP: 'VPP data plane',
};

/** `Installation.spec.calicoNetwork.linuxDataplane` in words. What we do not know is shown as it was read. */
export function dataplaneWord(linuxDataplane: string | null): string {
  if (linuxDataplane === null) return 'data plane not set';
  return words[linuxDataplane] ?? `${linuxDataplane} data plane`;
}
