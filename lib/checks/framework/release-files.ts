import type { ReleaseContents } from '#lib/spec/index.ts';

/**
 * Files of the running release and of the target, as far as the caller has them. Checks that compare with missing files are *unknown*, and say how it will
 * be known.
 */
export type ReleaseFiles = {
  readonly running?: ReleaseContents;
  readonly target?: ReleaseContents;
  /** The server's answer for each object of the target that the upgrade writes. */
  readonly tried?: readonly DryRunResult[];
};

/**
 * The server's answer to a dry run that applies an object without force. `conflicts`: fields of other managers that would change; `unknown`: why there is no
 * such answer. `object`: `kube-system/DaemonSet/calico-node`.
 */
export type DryRunResult =
  | { readonly object: string; readonly conflicts: readonly { readonly manager: string; readonly field: string }[] }
  | { readonly object: string; readonly unknown: string };

/** The files if they are of this version; else null. */
export function filesOf(contents: ReleaseContents | undefined, version: string): ReleaseContents | null {
  return contents?.version === version ? contents : null;
}
