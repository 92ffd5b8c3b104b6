import { type CalicoReleaseRow, releasesWithOperator } from '#lib/spec/index.ts';

/** A release whose operator is known: what can be installed. The table itself is `calicoReleases` of lib/spec. */
export type CalicoRelease = CalicoReleaseRow & { readonly operator: string };

/** Newest first. */
export const releases: readonly CalicoRelease[] = releasesWithOperator();
