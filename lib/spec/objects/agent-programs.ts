/**
 * Shows, in the agent's own container, which eBPF programs are attached to the node's interfaces, the names of all that are loaded (an attachment of a filter
 * is named after a file by some tools), and which are attached to the folder that follows as the last word: where the agent mounts cgroup2 for its
 * connect-time load balancing; and last whether a map of Services' addresses holds one (`cali_v4_nat_fe3`, felix/bpf/nat/maps.go): `true`, `false`, or `null` where there is none or
 * nobody could look. Four lines of JSON; the third is `[]` where there is no such folder (and where bpftool says nothing, as of one without
 * programs), and `null` where bpftool could not read it. Ends with another status than 0 where one of the others could not be read. The agent is on the node's network, and its image has bash and bpftool
 * (projectcalico/calico node/clean-up-filesystem.sh, read 2026-11-23).
 */
export const programsCommand: readonly string[] = [
  'bash',
  '-c',
  [
    'bpftool -j net show && echo && bpftool -j prog show && echo || exit 1',
    'if [ ! -d "$1" ] || shown=$(bpftool -j cgroup show "$1" 2>/dev/null); then [ -n "$shown" ] && echo "$shown" || echo "[]"; else echo null; fi',
    'filled=null',
    // The first key of each: such a map may have ten thousands.
    String.raw`while read -r id; do if said=$(bpftool map getnext id "$id" 2>&1); then filled=true; break; elif [[ $said = *"No such file or directory"* ]]; then filled=false; fi; done < <(bpftool map show 2>/dev/null | sed -n -E "s/^([0-9]+):.* name cali_v[46]_nat_fe[0-9]* .*/\1/p")`,
    'echo "$filled"',
  ].join('; '),
  'bash',
];
