/**
 * Shows, in the agent's own container, which eBPF programs are attached to the node's interfaces, the names of all that are loaded (an attachment of a filter
 * is named after a file by some tools), and which are attached to the folder that follows as the last word: where the agent mounts cgroup2 for its
 * connect-time load balancing. Three lines of JSON; the last is `[]` where there is no such folder (and where bpftool says nothing, as of one without
 * programs), and `null` where bpftool could not read it. Ends with another status than 0 where one of the others could not be read. The agent is on the node's network, and its image has bash and bpftool
 * (projectcalico/calico node/clean-up-filesystem.sh, read 2026-11-23).
 */
export const programsCommand: readonly string[] = [
  'bash',
  '-c',
  [
    'bpftool -j net show && echo && bpftool -j prog show && echo || exit 1',
    'if [ ! -d "$1" ] || shown=$(bpftool -j cgroup show "$1" 2>/dev/null); then [ -n "$shown" ] && echo "$shown" || echo "[]"; else echo null; fi',
  ].join('; '),
  'bash',
];
