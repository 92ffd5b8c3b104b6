/** In each list that was read. bash's own commands come with bash, also where a file of that name is kept. */
const always = [
  ...['arp', 'conntrack', 'ip', 'bpftool', 'ipset', 'modprobe', 'lsmod'],
  ...['iptables', 'iptables-nft', 'iptables-legacy', 'iptables-translate'],
  ...['ip6tables', 'ip6tables-nft', 'ip6tables-legacy', 'ip6tables-translate'],
  ...['[', 'basename', 'bash', 'sh', 'cat', 'cp', 'ln', 'date', 'ls', 'echo', 'env', 'false', 'true', 'getopt'],
  ...['hostname', 'gzip', 'grep', 'nice', 'join', 'kill', 'mkdir', 'mknod', 'more', 'less', 'printf', 'readlink'],
  ...['rm', 'sed', 'sleep', 'sort', 'stat', 'tail', 'tc', 'touch', 'tee', 'timeout', 'test', 'uniq', 'which', 'yes'],
  ...['whoami', 'find'],
] as const;

/**
 * Programs that the build of calico/node's image keeps: it removes all others. By the states of its build file that were read, oldest first. Of the releases
 * between two of them no file was read: what both keep is taken to be kept by them too.
 */
const builds: readonly {
  readonly of: string;
  readonly programs: readonly string[];
  readonly source: string;
  readonly read: string;
}[] = [
  {
    of: 'before v3.22: the repository of releases up to v3.21',
    programs: always,
    source:
      'projectcalico/node clean-up-filesystem.sh (206106bdded8); release-v3.22 has it in projectcalico/calico (#6248)',
    read: '2026-11-26',
  },
  {
    // projectcalico/calico#6078 brought mountns in its place, and was picked into release-v3.22 (#6248) and release-v3.23 (#6240) in June 2022.
    of: 'the first patches of v3.22 and v3.23',
    programs: [...always, 'nsenter'],
    source: 'projectcalico/calico node/clean-up-filesystem.sh (13623199d622)',
    read: '2026-11-26',
  },
  {
    of: 'v3.30.0 and later; mountns is there from v3.24.0 on',
    programs: [...always, 'mountns'],
    source: 'projectcalico/calico node/clean-up-filesystem.sh (0b109b46965d)',
    read: '2026-11-23',
  },
];

/** What a script may call that runs in the image of any release: what each of these keeps. */
export const probeTools: readonly string[] = [...new Set(builds.flatMap(({ programs }) => programs))].filter(
  (program) => builds.every(({ programs }) => programs.includes(program)),
);
