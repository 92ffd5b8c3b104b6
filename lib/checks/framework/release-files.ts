import type { ReleaseContents } from '#lib/spec/index.ts';

/**
 * Files of releases, where whoever asks for findings has them at hand: of the one that runs, and of the one that is to run. Checks that compare
 * with them are *unknown* without, and say how it will be known.
 */
export type ReleaseFiles = {
  readonly running?: ReleaseContents;
  readonly target?: ReleaseContents;
  /** Each object of the target that the upgrade writes. */
  readonly tried?: readonly Tried[];
};

/**
 * What the server said to an object when it was asked to apply it without force, in a dry run: `conflicts` are fields that others own and that would
 * change; `unknown` says why it did not answer that. `object`: `kube-system/DaemonSet/calico-node`.
 */
export type Tried =
  | { readonly object: string; readonly conflicts: readonly { readonly manager: string; readonly field: string }[] }
  | { readonly object: string; readonly unknown: string };

/** Only where they are of this very version. */
export function filesOf(contents: ReleaseContents | undefined, version: string): ReleaseContents | null {
  return contents?.version === version ? contents : null;
}
