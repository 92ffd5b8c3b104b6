/** What Felix, Calico's agent, logs as it starts (operations.md › Proof of a node): what it said before its latest start no longer counts. */
export const felixLines = {
  starting: 'Felix starting up',
  bpfEnabled: 'BPF enabled, starting BPF endpoint manager and map manager.',
  /** Felix goes on, after two spaces: `Disabling BPF mode.` */
  bpfRefused: 'BPF dataplane mode enabled but not supported by the kernel.',
} as const;

/** Felix's own reading of a flag (felix/config/param_types.go `BoolParam`); what it cannot read is the default, which is off. */
export function isOnForFelix(text: string): boolean {
  return /^(?:true|1|yes|y|t)$/i.test(text);
}

/** Fields of FelixConfiguration where they are not set (calico.md §5). */
export const felixDefaults = {
  /** Where cgroup2 is mounted. */
  cgroupV2Path: '/run/calico/cgroup',
  /** How the interfaces of pods begin; several are parted by commas. Clouds' own networks name theirs otherwise (calico.md §9). */
  interfacePrefix: 'cali',
  bpfDataIfacePattern: '^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan|bond).*)',
  vxlanPort: 4789,
} as const;

/** Where the agent mounts cgroup2: what a configuration has under `cgroupV2Path`, else Felix's default. What is no absolute path counts as none. */
export function cgroupFolderOf(set: unknown): string {
  return typeof set === 'string' && set.startsWith('/') ? set : felixDefaults.cgroupV2Path;
}
