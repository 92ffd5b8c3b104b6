/**
 * What kube-proxy in IPVS mode leaves in a node's kernel (pain B3), and how its pod shows it: `cat` of files, because upstream's image has no `ip`, `ls` or
 * `tail` (kubernetes/release › images/build/distroless-iptables/distroless-trixie/Dockerfile), and others have no shell.
 */
export const ipvs = {
  /** The network device that holds the address of every Service. */
  device: 'kube-ipvs0',
  /** Devices, which every network namespace has: an answer without any was not given. Then virtual servers, absent where the kernel's module is not loaded. */
  files: ['/proc/net/dev', '/proc/net/ip_vs'],
  /** Begins the line of a virtual server. For `grep -E` and RegExp. */
  server: '^(TCP|UDP|SCTP|FWM) ',
} as const;
