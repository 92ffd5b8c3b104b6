import type { PlatformKind, ReleaseContents } from '#lib/spec/index.ts';

/** Which files are wanted, and from where. */
export type WantedRelease = {
  version: string;
  source?: string | undefined;
  airGapped?: boolean | undefined;
  /** OpenShift installs from a bundle of its own. */
  platform: PlatformKind;
  /** The text of custom resources in the place of the release's own. */
  customResources?: string | undefined;
  /** An installation by manifest: its file, `calico.yaml`, in the place of the operator's. */
  manifest?: string | undefined;
};

/**
 * Where a face gets the files of a release. Null: they are not at hand, and nobody has asked for them; checks that compare with them then say so.
 * Rejects with an Error whose sentence says what could not be had and what to do.
 */
export type Releases = (wanted: WantedRelease, signal: AbortSignal) => Promise<ReleaseContents | null>;
