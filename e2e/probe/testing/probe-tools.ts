/** In each list that was read. bash's own commands come with bash, also where a file of that name is kept. */
const always = [
  ...['arp', 'conntrack', 'ip', 'bpftool', 'ipset', 'modprobe', 'lsmod'],
  ...['iptables', 'iptables-nft', 'iptables-legacy', 'iptables-translate', 'ip6tables', 'ip6tables-translate'],
  ...['[', 'basename', 'bash', 'sh', 'cat', 'cp', 'ln', 'date', 'ls', 'echo', 'env', 'false', 'true', 'getopt'],
  ...['hostname', 'gzip', 'grep', 'nice', 'join', 'kill', 'mkdir', 'mknod', 'more', 'less', 'printf', 'readlink'],
  ...['rm', 'sed', 'sleep', 'sort', 'stat', 'tail', 'tc', 'touch', 'tee', 'timeout', 'test', 'uniq', 'which', 'yes'],
  ...['whoami', 'find'],
] as const;

/**
 * Programs that the build of calico/node's image keeps: it removes all others. By the states of its build file that were read, oldest first; where it is not
 * known with which release a state began, no release is named.
 */
const builds: readonly {
  readonly of: string;
  readonly programs: readonly string[];
  readonly source: string;
  readonly read: string;
}[] = [
  {
    of: 'releases that were built in a repository of their own',
    programs: always,
    source: 'projectcalico/node clean-up-filesystem.sh (206106bdded8)',
    read: '2026-11-26',
  },
  {
    of: 'a state after that repository had become a folder',
    programs: [...always, 'nsenter'],
    source: 'projectcalico/calico node/clean-up-filesystem.sh (13623199d622)',
    read: '2026-11-26',
  },
  {
    of: 'v3.30.0 and later',
    programs: [...always, 'mountns'],
    source: 'projectcalico/calico node/clean-up-filesystem.sh (0b109b46965d)',
    read: '2026-11-23',
  },
];

/** What a script may call that runs in the image of any release: what each of these keeps. */
export const probeTools: readonly string[] = [...new Set(builds.flatMap(({ programs }) => programs))].filter(
  (program) => builds.every(({ programs }) => programs.includes(program)),
);
