import { isUnknown, type Known } from '../unknown.ts';

/**
 * Systems with a read-only /usr: the agent needs another folder for cgroup2, and FlexVolume another one or none (spec › Limits; pain.md §1 C6, C7).
 * `distributionRules` names these systems; each has a row here.
 */
export type ImmutableSystem = {
  /** Id in `distributionRules`. */
  readonly id: string;
  readonly title: string;
  /** FelixConfiguration spec.cgroupV2Path; the field exists from v3.30.4 and v3.31.0 on. */
  readonly cgroupV2Path: Known<string>;
  /** Installation spec.flexVolumePath. */
  readonly flexVolumePath: Known<string>;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

/** How to find out, if no source has it. */
const cgroupUnknown = {
  unknown: 'Run a privileged pod on one node of the image: it makes a folder and mounts cgroup2 there.',
};
const flexUnknown = {
  unknown: 'Set `None`, or a writable folder that the kubelet reads: its flag `--volume-plugin-dir` names it.',
};
const limits = {
  cgroupV2Path: cgroupUnknown,
  flexVolumePath: flexUnknown,
  source: 'spec › Limits; checks.md › node.cgroup-path; checks.md › node.flexvolume-path',
  read: '2026-11-21',
} as const;
const alike = {
  ...limits,
  source: 'spec › Limits; observed: such systems mount /usr read-only',
} as const;

/** The same for every unknown system. */
export const immutableUnknown = { cgroupV2Path: cgroupUnknown.unknown, flexVolumePath: flexUnknown.unknown } as const;

export const immutableSystems: readonly ImmutableSystem[] = [
  {
    ...limits,
    id: 'talos',
    title: 'Talos Linux',
    cgroupV2Path: '/sys/fs/cgroup',
    source: 'https://docs.siderolabs.com/kubernetes-guides/cni/deploy-calico; pain.md §1 C6',
  },
  {
    ...limits,
    id: 'bottlerocket',
    title: 'Bottlerocket',
    flexVolumePath: '/var/lib/kubelet/plugins/',
    source: 'spec › Installation resource; calico.md §13 no. 14; pain.md §1 C7',
  },
  { ...limits, id: 'flatcar', title: 'Flatcar Container Linux' },
  { ...limits, id: 'coreos', title: 'Container Linux by CoreOS' },
  { ...limits, id: 'fedora-coreos', title: 'Fedora CoreOS' },
  {
    ...limits,
    id: 'rhcos',
    title: 'Red Hat Enterprise Linux CoreOS',
    flexVolumePath: '/etc/kubernetes/kubelet-plugins/volume/exec/, the operator’s own on OpenShift',
    source: 'checks.md › node.cgroup-path; calico.md §2.1',
  },
  {
    ...limits,
    id: 'scos',
    title: 'CentOS Stream CoreOS (OKD)',
    flexVolumePath: '/etc/kubernetes/kubelet-plugins/volume/exec/, the operator’s own on OpenShift',
    source: 'observed: what OKD runs on; calico.md §2.1',
  },
  {
    ...alike,
    id: 'cos',
    title: 'Container-Optimized OS from Google',
    flexVolumePath: '/home/kubernetes/flexvolume/, the operator’s own on GKE',
    source: 'observed: what GKE runs on; calico.md §2.1',
  },
  { ...alike, id: 'ubuntu-core', title: 'Ubuntu Core' },
  { ...alike, id: 'sle-micro', title: 'SUSE Linux Enterprise Micro' },
  { ...alike, id: 'opensuse-microos', title: 'openSUSE MicroOS' },
  { ...alike, id: 'opensuse-leap-micro', title: 'openSUSE Leap Micro' },
  { ...alike, id: 'k3os', title: 'k3OS' },
  { ...alike, id: 'rancheros', title: 'RancherOS' },
  { ...alike, id: 'harvester', title: 'Harvester' },
  { ...alike, id: 'kairos', title: 'Kairos' },
];

/** First release whose FelixConfiguration has `cgroupV2Path`. */
export const cgroupPathSince = 'v3.30.4';

/** The one folder that is right for all of these systems (ids of `distributionRules`); null if there is none. */
export function cgroupPathFor(ids: readonly string[]): string | null {
  const known = new Set(ids.map((id) => knownOf(id, 'cgroupV2Path')));
  const [path = null] = known;
  return known.size === 1 ? path : null;
}

/**
 * The value of Installation `flexVolumePath` for these systems: the folder of Bottlerocket's kubelet, with the slash that the operator needs; otherwise `None`,
 * because FlexVolume serves sidecars of application layer policy, which eBPF mode does not support (calico.md §13 no. 14).
 */
export function flexVolumePathFor(ids: readonly string[]): string {
  const path = knownOf('bottlerocket', 'flexVolumePath');
  return path !== null && ids.every((id) => id === 'bottlerocket') ? path : 'None';
}

/** All results of `cgroupPathFor`. */
export const knownCgroupPaths: readonly string[] = immutableSystems.flatMap(
  ({ id }) => knownOf(id, 'cgroupV2Path') ?? [],
);

/** All results of `flexVolumePathFor`. */
export const knownFlexVolumePaths: readonly string[] = ['None', knownOf('bottlerocket', 'flexVolumePath') ?? []].flat();

function knownOf(id: string, field: 'cgroupV2Path' | 'flexVolumePath'): string | null {
  const known = immutableSystems.find((row) => row.id === id)?.[field];
  return known === undefined || isUnknown(known) ? null : known;
}
