import { calicoOfOperator, enterpriseReleases, isEnterprise } from '#lib/spec/index.ts';

/** Whom the stand-in behaves like: a release of the public operator; the newest first, which is what it is unless told otherwise. */
export const emulatedOperators = ['v3.31.4', 'v3.30.7'] as const;
export type EmulatedOperator = (typeof emulatedOperators)[number];

/** The word that 0.1.0 had for an operator of its own; it still means the default. */
const formerWord = 'signalbox';

/** What `--like` and a state folder name; the newest where nothing is said. Null: a word that names none. */
export function emulatedNamed(word: string = formerWord): EmulatedOperator | null {
  return word === formerWord ? emulatedOperators[0] : (emulatedOperators.find((one) => one === word) ?? null);
}

/** What differs between releases and is no fault: what is written, and under which names. */
export type Release = {
  readonly calicoVersion: string;
  /** major, minor, patch of the operator. */
  readonly operator: readonly [number, number, number];
  readonly bootstrapContainer: 'ebpf-bootstrap' | 'mount-bpffs';
  /** bpfNetworkBootstrap and kubeProxyManagement exist (calico.md §2.1: new in 1.40). */
  readonly automatic: boolean;
  /** FelixConfiguration.nftablesMode follows BPF, and vxlanPort is persisted (calico.md §3.5: since 1.40.0; upgrade recording t=6.45, 68.48). */
  readonly nftablesFollowsBpf: boolean;
  /** cni.binDir/confDir and nonPrivileged are written back (upgrade recording t=4.05 against 66.60, 69.39). */
  readonly writesHostPathDefaults: boolean;
  /** dnsPolicy and dnsConfig of calico-node are those of the operator's Deployment (calico.md §3.4). */
  readonly copiesDns: boolean;
  /** Text of the conditions that are False because all is well; Available's own is the same everywhere. */
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
 * What the operator of an image installs: the release that it behaves like, with its own version and the Calico that belongs to it
 * (calico.md, head). Null for an image that says nothing known.
 */
export function releaseOfImage(image: string | null): Release | null {
  const version = /:v?(\d+)\.(\d+)\.(\d+)(?:-|$|@)/.exec(image ?? '');
  if (!version) return null;
  const [major, minor, patch] = version.slice(1).map(Number) as [number, number, number];
  const calico = calicoOfOperator(`v${major}.${minor}.${patch}`);
  if (!calico) return null;
  return { ...(minor >= 40 ? v3314 : v3307), calicoVersion: calico, operator: [major, minor, patch] };
}

/** What `status.calicoVersion` says: with Calico Enterprise its own version, where it is known which this operator comes with. */
export function versionInstalled({ calicoVersion, operator }: Release, variant: string | undefined): string {
  const own = enterpriseReleases.find((row) => row.operator === `v${operator.join('.')}`);
  return isEnterprise(variant) ? (own?.version ?? calicoVersion) : calicoVersion;
}

/** Which release an operator image stands for: `quay.io/tigera/operator:v1.40.7` → `v3.31.4`. The minor decides; null when unknown. */
export function emulatedByImage(image: string): EmulatedOperator | null {
  const tag = /:v1\.(\d+)\.\d+(?:-|$|@)/.exec(image);
  const known: Record<string, EmulatedOperator> = { '38': 'v3.30.7', '40': 'v3.31.4' };
  return tag?.[1] ? (known[tag[1]] ?? null) : null;
}
