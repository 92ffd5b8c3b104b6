import type { Facts } from '#lib/facts/index.ts';
import { type Choices, proposedRelease } from '#lib/spec/index.ts';

/** An install begins from nothing: any release is newer. */
const nothing = 'v0.0.0';

/** The Calico release that runs after the plan, `v3.31.4`: the chosen one, else the one that is proposed; null where what runs cannot be told. */
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

/** `Calico v3.31.4`, or what stands in its place where the release is not known. */
export function releaseName(release: string | null): string {
  return release === null ? 'the release' : `Calico ${release}`;
}
