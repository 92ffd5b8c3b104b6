import { releaseAtLeast } from './versions.ts';

/** Versions from `from` to before `before`. An absent end is open. */
export type VersionRange = { readonly from?: string; readonly before?: string };

/**
 * A known issue of versions or kernels, or a feature that does not exist before a version. All conditions of a row must hold; what versions alone do not decide is
 * in `condition` only.
 */
export type Gate = {
  readonly id: `V${number}`;
  /** Ids of the checks that report it. */
  readonly checks: readonly [string, ...string[]];
  readonly condition: string;
  /** The Calico before an upgrade. */
  readonly fromRelease?: readonly VersionRange[];
  /** The Calico after an upgrade, or the running one. */
  readonly toRelease?: readonly VersionRange[];
  /** An upgrade from before this release to it or later. */
  readonly crosses?: string;
  readonly kernel?: readonly VersionRange[];
  readonly kubernetes?: readonly VersionRange[];
  /**
   * `block`: refuse. `hop`: upgrade through an intermediate release. `change`: a setting must be changed first. `review`: the administrator must look.
   * `prefer`: another release is better. `absent`: a field or feature does not exist there. `note`: information.
   */
  readonly action: 'block' | 'hop' | 'change' | 'review' | 'prefer' | 'absent' | 'note';
  readonly advice: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const read = '2026-08-22';

/** From pain.md §2, with its sources. RN: the release's notes. */
export const gates: readonly Gate[] = [
  {
    id: 'V1',
    checks: ['upgrade.path'],
    condition: 'From v3.30.0–v3.30.6 to v3.31 or later, with eBPF and VXLAN',
    fromRelease: [{ from: 'v3.30.0', before: 'v3.30.7' }],
    crosses: 'v3.31.0',
    action: 'hop',
    advice: 'Upgrade to v3.30.7 first: nodes that still run the older release drop the VXLAN traffic of upgraded ones.',
    source: 'RN v3.30.7; projectcalico/calico#11910',
    read,
  },
  {
    id: 'V2',
    checks: ['node.kernel-known-bad'],
    condition:
      'Kernel 6.12.53 or later of its series, or 6.17.5 or later, with Calico before v3.29.7, v3.30.5 or v3.31.3',
    toRelease: [{ before: 'v3.29.7' }, { from: 'v3.30.0', before: 'v3.30.5' }, { from: 'v3.31.0', before: 'v3.31.3' }],
    kernel: [{ from: '6.12.53', before: '6.13' }, { from: '6.17.5' }],
    action: 'block',
    advice:
      'These kernels refuse the connect-time load balancer and the agent crashes: take a later release of Calico first.',
    source: 'RN v3.29.7, v3.30.5, v3.31.3; projectcalico/calico#11302; awslabs/amazon-eks-ami#2511',
    read,
  },
  {
    id: 'V3',
    checks: ['node.kernel-known-bad'],
    condition: 'Kernel 5.15 with v3.30 while bpfLogLevel is not Off',
    toRelease: [{ from: 'v3.30.0', before: 'v3.31.0' }],
    kernel: [{ from: '5.15', before: '5.16' }],
    action: 'change',
    advice: 'Set FelixConfiguration bpfLogLevel to Off: the verifier refuses the programs that log.',
    source: 'projectcalico/calico#10911',
    read,
  },
  {
    id: 'V4',
    checks: ['node.kernel-known-bad'],
    condition: 'Kernel 6.1 or later with Calico up to v3.26',
    toRelease: [{ before: 'v3.27.0' }],
    kernel: [{ from: '6.1' }],
    action: 'block',
    advice: 'Use v3.27 or later: the older library cannot read the type information of these kernels.',
    source: 'projectcalico/calico#8001',
    read,
  },
  {
    id: 'V5',
    checks: ['upgrade.owner-references', 'network.offload'],
    condition: 'Crossing v3.28',
    crosses: 'v3.28.0',
    action: 'change',
    advice:
      'UIDs of projectcalico.org/v3 objects change: take owner references to them away first. VXLAN checksum offload is on from the next reboot of each node; some virtual networks do not survive that.',
    source: 'RN v3.28.0',
    read,
  },
  {
    id: 'V6',
    checks: ['upgrade.policy-names'],
    condition: 'From v3.29.0–v3.29.3 or v3.30.0',
    fromRelease: [
      { from: 'v3.29.0', before: 'v3.29.4' },
      { from: 'v3.30.0', before: 'v3.30.1' },
    ],
    action: 'review',
    advice:
      'Compare the names of policies in the default tier: these releases renamed them, later ones rename them back.',
    source: 'RN v3.29.4, v3.30.1',
    read,
  },
  {
    id: 'V7',
    checks: ['upgrade.path'],
    condition: 'v3.28.4 or later of its line on Kubernetes up to 1.24',
    toRelease: [{ from: 'v3.28.4', before: 'v3.29.0' }],
    kubernetes: [{ before: 'v1.25' }],
    action: 'block',
    advice: 'Not compatible with Kubernetes 1.24: upgrade Kubernetes first.',
    source: 'RN v3.28.4',
    read,
  },
  {
    id: 'V8',
    checks: ['upgrade.path'],
    condition: 'Crossing v3.31 with Helm',
    crosses: 'v3.31.0',
    action: 'change',
    advice: 'The chart value kubeletVolumePluginPath moved under installation; at its old place it is ignored.',
    source: 'RN v3.31.0; calico.md §1.3',
    read,
  },
  {
    id: 'V9',
    checks: ['upgrade.host-endpoints'],
    condition: 'Crossing v3.31 with automatic host endpoints',
    crosses: 'v3.31.0',
    action: 'review',
    advice: 'Automatic host endpoints widen to all interfaces: look at the policies that would select them.',
    source: 'RN v3.31.0 (projectcalico/calico#10672)',
    read,
  },
  {
    id: 'V10',
    checks: ['upgrade.registry-moved'],
    condition: 'To v3.31 or a late v3.30 where images come from a mirror or through an allow-list',
    fromRelease: [{ before: 'v3.30.7' }],
    toRelease: [{ from: 'v3.30.1' }],
    action: 'change',
    advice: 'Images come from quay.io instead of docker.io: mirror them, or set Installation spec.registry.',
    source: 'tigera/operator pkg/components at v1.38.0 and v1.40.0; measured: operator v1.38.16 (v3.30.7) uses quay.io',
    read: '2026-11-21',
  },
  {
    id: 'V11',
    checks: ['upgrade.path'],
    condition: 'v3.31.0–v3.31.3 where the VXLAN network identifier matters',
    toRelease: [{ from: 'v3.31.0', before: 'v3.31.4' }],
    action: 'prefer',
    advice: 'Use v3.31.4 or later.',
    source: 'RN v3.31.4',
    read,
  },
  {
    id: 'V12',
    checks: ['upgrade.path'],
    condition: 'Before v3.31.5 on recent kernels',
    toRelease: [{ before: 'v3.31.5' }],
    action: 'prefer',
    advice: "Use v3.31.5 or later: programs vanish from workloads' interfaces.",
    source: 'RN v3.31.5',
    read,
  },
  {
    id: 'V13',
    checks: ['upgrade.path'],
    condition: 'Before v3.31.3 on old kernels',
    toRelease: [{ before: 'v3.31.3' }],
    action: 'prefer',
    advice: 'Use v3.31.3 or later: map operations are broken.',
    source: 'RN v3.31.3 (projectcalico/calico#11497)',
    read,
  },
  {
    id: 'V14',
    checks: ['node.cgroup-path'],
    condition: 'FelixConfiguration cgroupV2Path, which immutable systems need',
    toRelease: [{ before: 'v3.30.4' }],
    action: 'absent',
    advice: 'The field exists from v3.30.4 and v3.31.0 on.',
    source: 'RN v3.30.4, v3.31.0',
    read,
  },
  {
    id: 'V15',
    checks: ['proxy.health-port'],
    condition: 'FelixConfiguration bpfKubeProxyHealthzPort, which frees the port that kube-proxy also wants',
    toRelease: [{ before: 'v3.30.5' }],
    action: 'absent',
    advice: 'The field exists from v3.30.5 on (misspelt in v3.30.4); the value 0, off, from v3.32.0 on.',
    source: 'RN v3.30.4, v3.30.5, v3.32.0',
    read,
  },
  {
    id: 'V16',
    checks: ['feature.node-local-dns'],
    condition: 'Annotation projectcalico.org/natExcludeService, which NodeLocal DNSCache needs',
    toRelease: [{ before: 'v3.28.0' }],
    action: 'absent',
    advice: 'It is read from v3.28.0 on.',
    source: 'RN v3.28.0',
    read,
  },
  {
    id: 'V17',
    checks: ['endpoint.bootstrap-exclusive'],
    condition: 'Installation bpfNetworkBootstrap and kubeProxyManagement, the automatic mode',
    toRelease: [{ before: 'v3.31.0' }],
    action: 'absent',
    advice: 'The fields exist from v3.31.0 on.',
    source: 'RN v3.31.0',
    read,
  },
  {
    id: 'V18',
    checks: ['node.bpf-loads'],
    condition: 'Programs attached by tcx need v3.31 and kernel 6.6; without either they are attached by tc',
    action: 'note',
    advice: 'Nothing is to be done; what inspects programs on a node must know both.',
    source: 'RN v3.31.0 (projectcalico/calico#10573)',
    read,
  },
  {
    id: 'V19',
    checks: ['upgrade.path'],
    condition: 'Crossing v3.32 with Helm',
    crosses: 'v3.32.0',
    action: 'change',
    advice: 'The operator chart no longer carries the CRDs: the chart crd.projectcalico.org.v1 does, and comes first.',
    source: 'RN v3.32.0',
    read,
  },
  {
    id: 'V20',
    checks: ['upgrade.path', 'feature.admin-network-policy'],
    condition: 'Crossing v3.32 with AdminNetworkPolicy objects, or without an APIServer resource',
    crosses: 'v3.32.0',
    action: 'change',
    advice:
      'AdminNetworkPolicy is no longer enforced: write ClusterNetworkPolicy first. Without APIServer/default the status of tiers stays Degraded.',
    source: 'RN v3.32.0; rancher/rke2#11229',
    read,
  },
  {
    id: 'V21',
    checks: ['upgrade.path'],
    condition: 'v3.32.0 and v3.32.1 where something else uses WireGuard on port 51820',
    toRelease: [{ from: 'v3.32.0', before: 'v3.32.2' }],
    action: 'block',
    advice: 'Use another release, or another port for that WireGuard.',
    source: 'projectcalico/calico#12900',
    read,
  },
  {
    id: 'V22',
    checks: ['upgrade.path'],
    condition: 'Before v3.31.7 on kernels in lockdown (Talos)',
    toRelease: [{ before: 'v3.31.7' }],
    action: 'note',
    advice: 'The kernel log fills with refusals; nothing fails.',
    source: 'RN v3.31.7 (projectcalico/calico#13234)',
    read,
  },
];

/** `undecided` if the text is no version, or too short to decide: `6.12` may be 6.12.53. */
export function inRange(version: string, { from, before }: VersionRange): 'yes' | 'no' | 'undecided' {
  const lower = from === undefined ? 'yes' : releaseAtLeast(version, from);
  const upper = before === undefined ? 'no' : releaseAtLeast(version, before);
  if (lower === 'no' || upper === 'yes') return 'no';
  return lower === 'yes' && upper === 'no' ? 'yes' : 'undecided';
}

/** The intermediate release that a gate requires; undefined: none. */
export function hopOf({ action, fromRelease }: Pick<Gate, 'action' | 'fromRelease'>): string | undefined {
  return action === 'hop' ? fromRelease?.[0]?.before : undefined;
}

/** The gate that requires this intermediate release. */
export function gateOfHop(version: string): Gate | undefined {
  return gates.find((gate) => hopOf(gate) === version);
}

/** Gates about this release and about upgrades to it. */
export function gatesOfRelease(version: string): readonly Gate[] {
  return gates.filter(({ toRelease, crosses }) => {
    if (crosses !== undefined) return sameMinor(version, crosses);
    return toRelease?.some((range) => inRange(version, range) === 'yes') ?? false;
  });
}

function sameMinor(version: string, other: string): boolean {
  const minor = (text: string) => text.split('.').slice(0, 2).join('.');
  return minor(version) === minor(other);
}

/** Gates about kernels; the check `node.kernel-known-bad` evaluates them. */
export const kernelGates: readonly Gate[] = gates.filter(({ kernel, toRelease }) => kernel && toRelease);

/** Whether a version is in any of the ranges; `undecided` if it may be. */
export function inAnyRange(version: string, ranges: readonly VersionRange[]): 'yes' | 'no' | 'undecided' {
  const results = ranges.map((range) => inRange(version, range));
  if (results.includes('yes')) return 'yes';
  return results.includes('undecided') ? 'undecided' : 'no';
}
