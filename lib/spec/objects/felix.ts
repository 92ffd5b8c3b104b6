/** Log lines of a starting Felix (operations.md › Proof of a node). Lines before its latest start do not count. */
export const felixLines = {
  starting: 'Felix starting up',
  bpfEnabled: 'BPF enabled, starting BPF endpoint manager and map manager.',
  /** Felix goes on, after two spaces: `Disabling BPF mode.` */
  bpfRefused: 'BPF dataplane mode enabled but not supported by the kernel.',
} as const;

/** Felix's own reading of a flag (felix/config/param_types.go `BoolParam`); an invalid value counts as the default, off. */
export function isOnForFelix(text: string): boolean {
  return /^(?:true|1|yes|y|t)$/i.test(text);
}

/** Defaults of FelixConfiguration (calico.md §5). */
export const felixDefaults = {
  /** Mount point of cgroup2. */
  cgroupV2Path: '/run/calico/cgroup',
  /** Prefixes of pods' interfaces, separated by commas. Clouds' own networks use others (calico.md §9). */
  interfacePrefix: 'cali',
  bpfDataIfacePattern: '^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan|bond).*)',
  vxlanPort: 4789,
} as const;

/**
 * The port of kube-proxy's `/healthz` (`healthzBindAddress`), which load balancers of cloud providers ask, and Felix' default for its own answer to them
 * (`bpfKubeProxyHealthzPort`, calico.md §5).
 */
export const kubeProxyHealthPort = 10256;

/** The folder where the agent mounts cgroup2: `cgroupV2Path` if it is an absolute path, otherwise Felix's default. */
export function cgroupFolderOf(set: unknown): string {
  return typeof set === 'string' && set.startsWith('/') ? set : felixDefaults.cgroupV2Path;
}
