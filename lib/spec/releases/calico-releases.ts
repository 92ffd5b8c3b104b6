import { isUnknown, type Known } from '../unknown.ts';

/**
 * Known releases of Calico. Others can be used too, but nothing is known about them. `gates` has the known issues of releases.
 */
export type CalicoReleaseRow = {
  readonly version: string;
  /** The operator in its manifest, or the first known one that installs it. Later patches of the operator may install the same Calico. */
  readonly operator: Known<string>;
  /** The Calico that this operator installs, if the release's manifests still name the operator of the previous one. */
  readonly installs?: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const notRead = { unknown: 'the image of the operator in its tigera-operator.yaml' };
const versionsFile = { source: 'tigera/operator config/calico_versions.yml at the tag', read: '2026-08-22' };
const manifest = { source: 'tigera-operator.yaml of the release', read: '2026-11-21' };
const componentVersions = {
  source: 'https://docs.tigera.io/calico/latest/reference/component-versions',
  read: '2026-11-21',
};
const bump = { source: 'tigera/operator#4376', read: '2026-11-21' };
const releaseNotes = { source: 'projectcalico/calico release-notes/, one file a release', read: '2026-11-21' };
const releasePage = (version: string) => ({
  source: `https://github.com/projectcalico/calico/releases/tag/${version}`,
  read: '2026-11-21',
});
const operatorPage = (version: string) => ({
  source: `https://github.com/tigera/operator/releases/tag/${version}`,
  read: '2026-11-21',
});

/** Newest first. */
export const calicoReleases: readonly CalicoReleaseRow[] = [
  { version: 'v3.33.1', operator: 'v1.44.1', ...operatorPage('v1.44.1') },
  { version: 'v3.33.0', operator: notRead, ...releaseNotes },
  { version: 'v3.32.3', operator: notRead, ...releasePage('v3.32.3') },
  { version: 'v3.32.2', operator: notRead, ...releaseNotes },
  { version: 'v3.32.1', operator: 'v1.42.3', ...versionsFile },
  { version: 'v3.32.0', operator: 'v1.42.2', ...versionsFile },
  { version: 'v3.31.7', operator: 'v1.40.15', ...versionsFile },
  { version: 'v3.31.6', operator: 'v1.40.13', ...versionsFile },
  { version: 'v3.31.5', operator: 'v1.40.8', ...versionsFile },
  { version: 'v3.31.4', operator: 'v1.40.7', ...manifest },
  { version: 'v3.31.3', operator: 'v1.40.3', ...componentVersions },
  { version: 'v3.31.2', operator: 'v1.40.2', ...componentVersions },
  { version: 'v3.31.1', operator: notRead, ...releaseNotes },
  { version: 'v3.31.0', operator: 'v1.40.0', ...versionsFile },
  { version: 'v3.30.7', operator: 'v1.38.13', ...manifest },
  { version: 'v3.30.6', operator: 'v1.38.11', ...bump },
  { version: 'v3.30.5', operator: notRead, ...releaseNotes },
  { version: 'v3.30.4', operator: 'v1.38.7', ...versionsFile },
  { version: 'v3.30.3', operator: notRead, ...releaseNotes },
  { version: 'v3.30.2', operator: notRead, ...releaseNotes },
  { version: 'v3.30.1', operator: notRead, ...releaseNotes },
  { version: 'v3.30.0', operator: notRead, ...releaseNotes },
  { version: 'v3.29.7', operator: notRead, ...releaseNotes },
  { version: 'v3.29.6', operator: notRead, ...releaseNotes },
  { version: 'v3.29.5', operator: notRead, ...releaseNotes },
  { version: 'v3.29.4', operator: notRead, ...releaseNotes },
  { version: 'v3.29.3', operator: notRead, ...releaseNotes },
  { version: 'v3.29.2', operator: notRead, ...releaseNotes },
  { version: 'v3.29.1', operator: notRead, ...releaseNotes },
  { version: 'v3.29.0', operator: notRead, ...releaseNotes },
  { version: 'v3.28.5', operator: notRead, ...releaseNotes },
  { version: 'v3.28.4', operator: notRead, ...releaseNotes },
  { version: 'v3.28.3', operator: notRead, ...releaseNotes },
  { version: 'v3.28.2', operator: notRead, ...releaseNotes },
  { version: 'v3.28.1', operator: notRead, ...releaseNotes },
  { version: 'v3.28.0', operator: notRead, ...releaseNotes },
  { version: 'v3.27.5', operator: 'v1.32.12', ...manifest },
  { version: 'v3.27.4', operator: notRead, ...releaseNotes },
  { version: 'v3.27.3', operator: notRead, ...releaseNotes },
  { version: 'v3.27.2', operator: notRead, ...releaseNotes },
  { version: 'v3.27.1', operator: notRead, ...releaseNotes },
  { version: 'v3.27.0', operator: notRead, ...releaseNotes },
  { version: 'v3.26.5', operator: notRead, ...releaseNotes },
  { version: 'v3.26.4', operator: notRead, ...releaseNotes },
  { version: 'v3.26.3', operator: notRead, ...releaseNotes },
  { version: 'v3.26.2', operator: notRead, ...releaseNotes },
  { version: 'v3.26.1', operator: notRead, ...releaseNotes },
  { version: 'v3.26.0', operator: notRead, ...releaseNotes },
  { version: 'v3.24.6', operator: 'v1.28.5', installs: 'v3.24.5', ...manifest },
  { version: 'v3.24.0', operator: notRead, ...releaseNotes },
];

/** The rows whose operator is known. */
export function releasesWithOperator(): readonly (CalicoReleaseRow & { readonly operator: string })[] {
  return calicoReleases.flatMap((row) => (isUnknown(row.operator) ? [] : [{ ...row, operator: row.operator }]));
}
