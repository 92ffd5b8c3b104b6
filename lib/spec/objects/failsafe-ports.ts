const published = {
  source: 'calico.md §5',
  read: '2026-11-23',
};

/** Felix's default failsafe ports, which no host policy closes: SSH, BGP, etcd, Typha, the API server; DHCP. */
export const failsafeInbound = [
  ...[22, 179, 2379, 2380, 5473, 6443, 6666, 6667].map((port) => ({ protocol: 'tcp', port, ...published })),
  { protocol: 'udp', port: 68, ...published },
] as const;
