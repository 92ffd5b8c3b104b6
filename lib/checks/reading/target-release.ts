import type { Facts } from '#lib/facts/index.ts';
import { type Choices, proposedRelease } from '#lib/spec/index.ts';

/** In place of the installed release for an install; every release is newer. */
const nothing = 'v0.0.0';

/** The Calico release that runs after the plan, `v3.31.4`: the chosen one, otherwise the proposed one. Null if the running release is unknown. */
export function targetRelease({ installation: { version } }: Facts, { goal, release }: Choices): string | null {
  switch (goal) {
    case 'install':
      return release ?? proposedRelease(nothing);
    case 'upgrade':
      return release ?? (version === null ? null : proposedRelease(version));
    case 'enable':
    case 'undo':
    case 'restore':
    case 'flow-logs':
    case 'policy':
      return version;
  }
}

/** `Calico v3.31.4`, or other words if the release is unknown. */
export function releaseName(release: string | null): string {
  return release === null ? 'the release' : `Calico ${release}`;
}
