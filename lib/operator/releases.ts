import { calicoOfOperator, enterpriseReleases, isEnterprise } from '#lib/spec/index.ts';

/** Which release of the public operator the stand-in emulates. The first one is the newest, and the default. */
export const emulatedOperators = ['v3.31.4', 'v3.30.7'] as const;
export type EmulatedOperator = (typeof emulatedOperators)[number];

/** The name that 0.1.0 gave to an operator of its own. It still means the default. */
const formerWord = 'signalbox';

/** The release that `--like` and a state folder name. Absent: the newest. Null: the word names none. */
export function emulatedNamed(word: string = formerWord): EmulatedOperator | null {
  return word === formerWord ? emulatedOperators[0] : (emulatedOperators.find((one) => one === word) ?? null);
}

/** The differences between releases that are intended: what they write, and under which names. */
export type Release = {
  readonly calicoVersion: string;
  /** Major, minor and patch of the operator's version. */
  readonly operator: readonly [number, number, number];
  readonly bootstrapContainer: 'ebpf-bootstrap' | 'mount-bpffs';
  /** Whether bpfNetworkBootstrap and kubeProxyManagement exist (calico.md §2.1: new in 1.40). */
  readonly automatic: boolean;
  /** Whether FelixConfiguration.nftablesMode follows BPF and vxlanPort is written (calico.md §3.5: since 1.40.0; upgrade recording t=6.45, 68.48). */
  readonly nftablesFollowsBpf: boolean;
  /** Whether cni.binDir/confDir and nonPrivileged are written back (upgrade recording t=4.05 against 66.60, 69.39). */
  readonly writesHostPathDefaults: boolean;
  /** Whether calico-node takes dnsPolicy and dnsConfig from the operator's Deployment (calico.md §3.4). */
  readonly copiesDns: boolean;
  /** Message of the conditions that are False because all is well. Available has the same message in all releases. */
  readonly allWell: 'All Objects Available' | 'All objects available';
};

const v3314: Release = {
  calicoVersion: 'v3.31.4',
  operator: [1, 40, 7],
  bootstrapContainer: 'ebpf-bootstrap',
  automatic: true,
  nftablesFollowsBpf: true,
  writesHostPathDefaults: true,
  copiesDns: true,
  allWell: 'All Objects Available',
};

const v3307: Release = {
  calicoVersion: 'v3.30.7',
  operator: [1, 38, 16],
  bootstrapContainer: 'mount-bpffs',
  automatic: false,
  nftablesFollowsBpf: false,
  writesHostPathDefaults: false,
  copiesDns: false,
  allWell: 'All objects available',
};

const releases: Record<EmulatedOperator, Release> = { 'v3.31.4': v3314, 'v3.30.7': v3307 };

export function releaseOf(like: EmulatedOperator): Release {
  return releases[like];
}

/**
 * The release that the operator of an image installs: the emulated release nearest to it, with the operator's own version and the Calico that belongs
 * to it (calico.md, head). Null: the image names no known operator.
 */
export function releaseOfImage(image: string | null): Release | null {
  const version = /:v?(\d+)\.(\d+)\.(\d+)(?:-|$|@)/.exec(image ?? '');
  if (!version) return null;
  const [major, minor, patch] = version.slice(1).map(Number) as [number, number, number];
  const calico = calicoOfOperator(`v${major}.${minor}.${patch}`);
  if (!calico) return null;
  return { ...(minor >= 40 ? v3314 : v3307), calicoVersion: calico, operator: [major, minor, patch] };
}

/** `status.calicoVersion`. With Calico Enterprise it is that product's version, where the one of this operator is known. */
export function versionInstalled({ calicoVersion, operator }: Release, variant: string | undefined): string {
  const own = enterpriseReleases.find((row) => row.operator === `v${operator.join('.')}`);
  return isEnterprise(variant) ? (own?.version ?? calicoVersion) : calicoVersion;
}

/** The release that an operator's image emulates: `quay.io/tigera/operator:v1.40.7` → `v3.31.4`. The minor version decides. Null: unknown. */
export function emulatedByImage(image: string): EmulatedOperator | null {
  const tag = /:v1\.(\d+)\.\d+(?:-|$|@)/.exec(image);
  const known: Record<string, EmulatedOperator> = { '38': 'v3.30.7', '40': 'v3.31.4' };
  return tag?.[1] ? (known[tag[1]] ?? null) : null;
}
