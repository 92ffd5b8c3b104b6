import type { Manifest, ReleaseContents } from './release-contents.ts';
import { calicoMinorOfOperator } from './releases.ts';

/** `spec.variant` of an Installation (spec › Installation resource; calico.md §2.1). Later operators write `CalicoEnterprise`. */
export type Variant = 'Calico' | 'TigeraSecureEnterprise';

/** Releases of Calico Enterprise, with numbers of their own: its v3.22.2 is not Calico v3.22.2, and its operator installs Calico v3.31. */
export type EnterpriseReleaseRow = {
  readonly version: string;
  readonly operator: string;
  /** The Calico that it is built from, `3.31`. */
  readonly calico: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const read = '2026-11-21';
const releasesFile = (line: string) => ({
  source: `tigera/docs calico-enterprise_versioned_docs/version-${line}/releases.json`,
  read,
});

/** Newest first. Others can be used too, but nothing is known about them. */
export const enterpriseReleases: readonly EnterpriseReleaseRow[] = [
  { version: 'v3.22.7', operator: 'v1.40.14', calico: '3.31', ...releasesFile('3.22-2') },
  { version: 'v3.22.6', operator: 'v1.40.12', calico: '3.31', ...releasesFile('3.22-2') },
  { version: 'v3.22.5', operator: 'v1.40.11', calico: '3.31', ...releasesFile('3.22-2') },
  { version: 'v3.22.3', operator: 'v1.40.9', calico: '3.31', ...releasesFile('3.22-2') },
  { version: 'v3.22.2', operator: 'v1.40.6', calico: '3.31', ...releasesFile('3.22-2') },
  { version: 'v3.22.1', operator: 'v1.40.5', calico: '3.31', ...releasesFile('3.22-2') },
  { version: 'v3.21.7', operator: 'v1.38.12', calico: '3.30', ...releasesFile('3.21-2') },
  { version: 'v3.21.6', operator: 'v1.38.12', calico: '3.30', ...releasesFile('3.21-2') },
  { version: 'v3.21.5', operator: 'v1.38.10', calico: '3.30', ...releasesFile('3.21-2') },
];

/** Operators released only with Enterprise. They also embed a Calico, whose version no source has. */
export const enterpriseTrains: readonly {
  readonly operator: string;
  readonly source: string;
  readonly read: string;
}[] = ['1.35', '1.37', '1.39', '1.41', '1.43'].map((operator) => ({
  operator,
  source: 'calico.md head',
  read: '2026-08-22',
}));

/**
 * Kinds of the operator that only Enterprise has. If one is served, the operator restarts in Enterprise's mode; without any it refuses
 * `variant: TigeraSecureEnterprise` (calico.md §2.1).
 */
export const enterpriseKinds: readonly { readonly kind: string; readonly source: string; readonly read: string }[] = [
  'AmazonCloudIntegration',
  'ApplicationLayer',
  'Compliance',
  'EgressGateway',
  'IntrusionDetection',
  'LogCollector',
  'LogStorage',
  'ManagementCluster',
  'Monitor',
].map((kind) => ({ kind, source: 'calico.md §2.1; tigera/operator pkg/controller/utils/discovery.go', read }));

const enterpriseNames: readonly unknown[] = ['TigeraSecureEnterprise', 'CalicoEnterprise'];

/** Whether this is Enterprise's value of `spec.variant`, in either spelling. */
export function isEnterprise(variant: unknown): boolean {
  return enterpriseNames.includes(variant);
}

type Manifests = Pick<ReleaseContents, 'manifests'>;

/** The variant of the Installation in the release's custom resources; default: Calico (calico.md §2.1). */
export function variantOf({ manifests }: Manifests): Variant {
  const file = manifests['custom-resources.yaml'] ?? manifests.ocp;
  return isEnterprise(variantIn(file)) ? 'TigeraSecureEnterprise' : 'Calico';
}

function variantIn(file: Manifest | undefined): unknown {
  const installation = file?.objects.find(
    ({ apiVersion, kind }) => kind === 'Installation' && apiVersion.startsWith('operator.tigera.io/'),
  );
  return fieldOf(installation?.spec, 'variant');
}

/** Kinds in the release's files that only Enterprise has; empty if no file has definitions (OpenShift’s bundle). */
export function enterpriseKindsOf({ manifests }: Manifests): readonly string[] {
  const defined = Object.values(manifests).flatMap(({ objects }) => objects.flatMap(definedKind));
  return enterpriseKinds.flatMap(({ kind }) => (defined.includes(kind) ? [kind] : []));
}

function definedKind({ kind, spec }: Manifest['objects'][number]): readonly string[] {
  if (kind !== 'CustomResourceDefinition' || fieldOf(spec, 'group') !== 'operator.tigera.io') return [];
  const defined = fieldOf(fieldOf(spec, 'names'), 'kind');
  return typeof defined === 'string' ? [defined] : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** True for `v1.39.2`: an operator whose Calico is unknown. */
export function isEnterpriseTrain(operatorVersion: string): boolean {
  const minor = /^v?(\d+\.\d+)\./.exec(operatorVersion)?.[1];
  return enterpriseTrains.some(({ operator }) => operator === minor);
}

/** The row of a release of Enterprise; null if it was not read. */
export function enterpriseRelease(version: string): EnterpriseReleaseRow | null {
  return enterpriseReleases.find((row) => row.version === version) ?? null;
}

/** The Calico that a release installs; for Enterprise the minor release that it is built from, `v3.31.0`. Null: unknown. */
export function calicoOf(release: Pick<ReleaseContents, 'version' | 'operator' | 'manifests'>): string | null {
  if (variantOf(release) === 'Calico') return release.version;
  const line = enterpriseRelease(release.version)?.calico ?? calicoMinorOfOperator(release.operator);
  return line === null ? null : `v${line}.0`;
}
