import { type CalicoReleaseRow, releasesWithOperator } from '#lib/spec/index.ts';

/** A release whose operator is known, so that it can be installed. The table is `calicoReleases` of lib/spec. */
export type CalicoRelease = CalicoReleaseRow & { readonly operator: string };

/** Newest first. */
export const releases: readonly CalicoRelease[] = releasesWithOperator();
