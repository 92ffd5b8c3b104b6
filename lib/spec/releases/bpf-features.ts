/**
 * Why no test loads a release's objects (pain P3) before its agent does. The tools of its image could: `ip netns exec` gives bpftool its own mounts with a
 * temporary bpffs (tried with bpf/built). But bpftool would create Calico's maps at the objects' sizes (below: 160 MiB of kernel memory on every serving node).
 * The agent reuses pinned maps, sets sizes, fills the read-only globals that decide which branches are verified, and generates programs of policies, which no
 * object has (bpf.md §1.1, bpf-gpl/bpf.h CALI_MAP_NAMED). So neither a pass nor a failure would predict the agent's.
 */
export const loadedByAgentAlone =
  "A test of the nodes asks for these and loads no program of a release: only its agent gives the programs their maps and settings, and makes those of policies. On kernels of no family that is known to run the release the answer stays open. The run then proves on each node that the agent's programs are attached, before the service proxy is turned off.";

/**
 * Kernel features that Calico's eBPF programs need, named as in `bpftool feature probe`. Without one of them, programs cannot load, whatever the kernel's version
 * (pain C1). With all of them, the verifier may still refuse programs (pain C2).
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
 * Kibibytes of the agent's maps when they are created, without any entry: 512k connections of 88 bytes, 510k senders, 256k backends, 64k
 * frontends and affinities, fragments, with the kernel's own 50 bytes each. With less memory the agent restarts for ever.
 */
export const bpfMapsKb = { least: 160 * 1024, ...of('bpf.md §1.2: sizes of felix/config/config_params.go, computed') };

function of(source: string) {
  return { source, read: '2026-11-23' };
}
