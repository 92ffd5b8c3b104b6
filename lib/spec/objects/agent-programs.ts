/**
 * Shows, in the agent's own container, which eBPF programs are attached to the node's interfaces and to the folder at which the agent attaches its
 * connect-time load balancing, and the names of all that are loaded: an attachment of a filter is named after a file by some tools. Three lines of JSON. The
 * agent is on the node's network, and its image has bash and bpftool (projectcalico/calico node/clean-up-filesystem.sh, read 2026-11-23).
 */
export const programsCommand: readonly string[] = [
  'bash',
  '-c',
  'bpftool -j net show && echo && bpftool -j prog show && echo && bpftool -j cgroup show "$1" 2>/dev/null || echo "[]"',
  'bash',
  '/run/calico/cgroup',
];
