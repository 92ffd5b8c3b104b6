/**
 * A command for the agent's container, which prints four lines of JSON about the node's eBPF programs:
 * 1. programs attached to interfaces;
 * 2. names of all loaded programs, because some tools name an attached filter after a file;
 * 3. programs attached to the folder that is the command's last word, where the agent mounts cgroup2 for connect-time load balancing: `[]` if there is no such
 *    folder or bpftool prints nothing (no programs), `null` if bpftool could not read it;
 * 4. whether a map of Services' addresses has an entry (`cali_v4_nat_fe3`, felix/bpf/nat/maps.go): `true`, `false`, or `null` if there is no map or it could
 *    not be read.
 *
 * The exit status is not 0 if one of the others could not be read. The agent uses the node's network, and its image has bash and bpftool
 * (projectcalico/calico node/clean-up-filesystem.sh, read 2026-11-23).
 */
export const programsCommand: readonly string[] = [
  'bash',
  '-c',
  [
    'bpftool -j net show && echo && bpftool -j prog show && echo || exit 1',
    'if [ ! -d "$1" ] || shown=$(bpftool -j cgroup show "$1" 2>/dev/null); then [ -n "$shown" ] && echo "$shown" || echo "[]"; else echo null; fi',
    'filled=null',
    // Only the first key of each map, which may have tens of thousands.
    String.raw`while read -r id; do if said=$(bpftool map getnext id "$id" 2>&1); then filled=true; break; elif [[ $said = *"No such file or directory"* ]]; then filled=false; fi; done < <(bpftool map show 2>/dev/null | sed -n -E "s/^([0-9]+):.* name cali_v[46]_nat_fe[0-9]* .*/\1/p")`,
    'echo "$filled"',
  ].join('; '),
  'bash',
];

/** What the agent prints of its maps of Services, and what each of their lines has. For `grep -E` and RegExp (operations.md › Proof of a node, evidence 3). */
export const serviceMaps = { command: ['calico-node', '-bpf', 'nat', 'dump'], entry: 'port [0-9]+' } as const;
