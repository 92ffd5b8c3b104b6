import { type CalicoReleaseRow, releasesWithOperator } from '#lib/spec/index.ts';

/** A release whose operator is known: what can be installed. The table itself is `calicoReleases` of lib/spec. */
export type CalicoRelease = CalicoReleaseRow & { readonly operator: string };

/** Newest first. */
export const releases: readonly CalicoRelease[] = releasesWithOperator();

/** `v3.31.4` or `3.31.4`. */
export function findRelease(version: string): CalicoRelease | null {
  const tag = version.startsWith('v') ? version : `v${version}`;
  return releases.find((release) => release.version === tag) ?? null;
}
