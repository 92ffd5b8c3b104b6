import type { ReleaseContents } from '#lib/spec/index.ts';

/**
 * Files of releases, where whoever asks for findings has them at hand: of the one that runs, and of the one that is to run. Checks that compare
 * with them are *unknown* without, and say how it will be known.
 */
export type ReleaseFiles = { readonly running?: ReleaseContents; readonly target?: ReleaseContents };

/** Only where they are of this very version. */
export function filesOf(contents: ReleaseContents | undefined, version: string): ReleaseContents | null {
  return contents?.version === version ? contents : null;
}
