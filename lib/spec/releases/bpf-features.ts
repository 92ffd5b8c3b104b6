/**
 * Why nothing loads the objects of a release (pain P3) before its agent does. The tools of its image could: `ip netns exec` gives bpftool mounts of its own,
 * in which it makes a bpffs that goes with it (tried with bpf/built). But it would make each of Calico's maps anew at the size in the object (below: 160 MiB of
 * kernel memory on every node that serves), where the agent gives them its pins and sizes, fills the read-only globals that decide which branches are
 * verified, and generates the programs of policies, which are in no object (bpf.md §1.1, bpf-gpl/bpf.h CALI_MAP_NAMED). Neither a pass nor a refusal there would be the agent's.
 */
export const loadedByAgentAlone =
  "A test of the nodes asks for these and loads no program of a release: only its agent gives the programs their maps and settings, and makes those of policies. On kernels of no family that is known to run the release the answer stays open. The run then proves on each node that the agent's programs are attached, before the service proxy is turned off.";

/**
 * What a kernel must offer before Calico's eBPF programs can load, in the words of `bpftool feature probe`. That all of it is there does not show that
 * a verifier takes the programs (pain C2); that something is not shows that it cannot, whatever the version says (pain C1).
 */
export const bpfFeatures: readonly {
  readonly feature: string;
  readonly neededFor: string;
  readonly source: string;
  readonly read: string;
}[] = [
  { feature: 'sched_cls', neededFor: 'programs on interfaces', ...of('bpf.md §1.1: felix/bpf/tc') },
  { feature: 'cgroup_sock_addr', neededFor: 'connect-time load balancing', ...of('bpf.md §1.1: felix/bpf/nat') },
  { feature: 'hash', neededFor: 'services (cali_v4_nat_be)', ...of('bpf.md §1.2') },
  { feature: 'lru_hash', neededFor: 'connections (cali_v4_ct4)', ...of('bpf.md §1.2') },
  { feature: 'lpm_trie', neededFor: 'routes and sets (cali_v4_routes)', ...of('bpf.md §1.2') },
  { feature: 'prog_array', neededFor: 'calls from program to program', ...of('bpf.md §1.1: jump maps') },
  { feature: 'percpu_array', neededFor: 'the state of a packet (cali_state6)', ...of('bpf.md §1.2') },
  { feature: 'percpu_hash', neededFor: 'counters (cali_counters6)', ...of('bpf.md §1.2') },
];

/**
 * Kibibytes that the agent's maps take when they are made, before any connection is in them: 512k connections of 88 bytes, 510k senders, 256k backends, 64k
 * frontends and affinities, fragments, with the kernel's own 50 bytes each. Less than that is left nowhere on purpose, and the agent restarts for ever.
 */
export const bpfMapsKb = { least: 160 * 1024, ...of('bpf.md §1.2: sizes of felix/config/config_params.go, computed') };

function of(source: string) {
  return { source, read: '2026-11-23' };
}
