import type { Facts } from '#lib/facts/index.ts';
import { type Choices, proposedRelease } from '#lib/spec/index.ts';

/** The Calico release that runs after the plan, `v3.31.4`; null where it is not chosen, or what runs cannot be told. */
export function targetRelease({ installation: { version } }: Facts, { goal, release }: Choices): string | null {
  switch (goal) {
    case 'install':
      return release ?? null;
    case 'upgrade':
      return release ?? (version === null ? null : proposedRelease(version));
    case 'enable':
    case 'undo':
      return version;
  }
}

/** `Calico v3.31.4`, or what stands in its place where the release is not known. */
export function releaseName(release: string | null): string {
  return release === null ? 'the release' : `Calico ${release}`;
}
