/**
 * The Calico releases that are known here. A release that is not in the table can still be named: nothing is known of it then.
 * What goes wrong in which release is in `gates` of lib/spec.
 */
export type CalicoRelease = {
  readonly version: string;
  /** The operator that its manifest installs. Later patches of the operator may install the same Calico. */
  readonly operator: string;
  /** What that operator installs, where the manifests of a release still name the one before. */
  readonly installs?: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const versionsFile = { source: 'tigera/operator config/calico_versions.yml at the tag', read: '2026-08-22' } as const;
const manifest = { source: 'tigera-operator.yaml of the release', read: '2026-11-21' } as const;
const components = { source: 'https://docs.tigera.io/calico/latest/reference/component-versions', read: '2026-11-21' };

/** Newest first. */
export const releases: readonly CalicoRelease[] = [
  { version: 'v3.32.1', operator: 'v1.42.3', ...versionsFile },
  { version: 'v3.32.0', operator: 'v1.42.2', ...versionsFile },
  { version: 'v3.31.7', operator: 'v1.40.15', ...versionsFile },
  { version: 'v3.31.6', operator: 'v1.40.13', ...versionsFile },
  { version: 'v3.31.5', operator: 'v1.40.8', ...versionsFile },
  { version: 'v3.31.4', operator: 'v1.40.7', ...manifest },
  { version: 'v3.31.3', operator: 'v1.40.3', ...components },
  { version: 'v3.31.2', operator: 'v1.40.2', ...components },
  { version: 'v3.31.0', operator: 'v1.40.0', ...versionsFile },
  { version: 'v3.30.7', operator: 'v1.38.13', ...manifest },
  { version: 'v3.30.4', operator: 'v1.38.7', ...versionsFile },
  { version: 'v3.27.5', operator: 'v1.32.12', ...manifest },
  { version: 'v3.24.6', operator: 'v1.28.5', installs: 'v3.24.5', ...manifest },
];

/** `v3.31.4` or `3.31.4`. */
export function findRelease(version: string): CalicoRelease | null {
  const tag = version.startsWith('v') ? version : `v${version}`;
  return releases.find((release) => release.version === tag) ?? null;
}
