import type { Known } from './unknown.ts';

/**
 * Systems whose /usr cannot be written: the agent needs another folder for cgroup2, and FlexVolume another one or none (spec › Limits; pain.md §1 C6, C7).
 * Which systems those are is told by `distributionRules`; every one of them has a row here.
 */
export type ImmutableSystem = {
  /** Of `distributionRules`. */
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

const cgroupUnknown = {
  unknown: 'A privileged pod that makes a folder and mounts cgroup2 there, on one node of the image.',
};
const flexUnknown = {
  unknown: '`None`, or a writable path that the kubelet reads: its flag --volume-plugin-dir.',
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
