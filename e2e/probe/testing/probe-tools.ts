/**
 * Programs that the probe's script may call: those that the build of calico/node's image keeps (it removes all others). bash's own commands come with
 * bash, also where a file of that name is kept.
 */
export const probeTools: readonly {
  /** The first release of which it was read. */
  readonly from: string;
  readonly programs: readonly string[];
  readonly source: string;
  readonly read: string;
}[] = [
  {
    from: 'v3.30.0',
    programs: [
      ...[
        'arp',
        'conntrack',
        'ip',
        'bpftool',
        'iptables',
        'iptables-nft',
        'iptables-legacy',
        'iptables-translate',
        'ip6tables-translate',
        'ip6tables',
        'ipset',
        'modprobe',
        'lsmod',
        'mountns',
      ],
      ...['[', 'basename', 'bash', 'sh', 'cat', 'cp', 'ln', 'date', 'ls', 'echo', 'env', 'false', 'true', 'getopt'],
      ...['hostname', 'gzip', 'grep', 'nice', 'join', 'kill', 'mkdir', 'mknod', 'more', 'less', 'printf', 'readlink'],
      ...[
        'rm',
        'sed',
        'sleep',
        'sort',
        'stat',
        'tail',
        'tc',
        'touch',
        'tee',
        'timeout',
        'test',
        'uniq',
        'which',
        'yes',
      ],
      ...['whoami', 'find'],
    ],
    source: 'projectcalico/calico node/clean-up-filesystem.sh (0b109b46965d)',
    read: '2026-11-23',
  },
];
