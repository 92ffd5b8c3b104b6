import type { PlatformKind, ReleaseContents } from '#lib/spec/index.ts';

/** The files that are wanted, and their source. */
export type WantedRelease = {
  version: string;
  source?: string | undefined;
  airGapped?: boolean | undefined;
  /** OpenShift installs from its own bundle. */
  platform: PlatformKind;
  /** The text of custom resources, in place of the release's own. */
  customResources?: string | undefined;
  /** For an installation by manifest: its file, `calico.yaml`, in place of the operator's. */
  manifest?: string | undefined;
};

/**
 * Opens the files of a release for a face. Null: they are not at hand and were not requested; checks that need them say so. Rejects with an Error
 * whose sentence says what is missing and what to do.
 */
export type Releases = (wanted: WantedRelease, signal: AbortSignal) => Promise<ReleaseContents | null>;
