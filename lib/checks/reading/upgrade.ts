import type { Facts } from '#lib/facts/index.ts';
import { type Choices, proposedRelease, releaseAtLeast } from '#lib/spec/index.ts';

/** From where to where. `proposal`: nobody has chosen or accepted the target. */
export type Upgrade = {
  readonly from: string;
  readonly to: string;
  readonly origin: 'chosen' | 'accepted' | 'proposal';
};

export type UpgradeTarget =
  | { readonly kind: 'release'; readonly version: string; readonly origin: Upgrade['origin'] }
  | { readonly kind: 'malformed'; readonly given: string }
  | { readonly kind: 'none' };

/** The release that is to run: as chosen, `3.31.4` or `v3.31.4`, else the one that is proposed for what runs. */
export function upgradeTarget({ installation }: Facts, { release, acceptProposals }: Choices): UpgradeTarget {
  if (release !== undefined) {
    const version = release.trim();
    if (!/^v?\d+\.\d+\.\d+$/.test(version)) return { kind: 'malformed', given: release };
    return { kind: 'release', version: version.startsWith('v') ? version : `v${version}`, origin: 'chosen' };
  }
  const proposed = installation.version === null ? null : proposedRelease(installation.version);
  if (proposed === null) return { kind: 'none' };
  return { kind: 'release', version: proposed, origin: acceptProposals ? 'accepted' : 'proposal' };
}

/** Whether an upgrade begins before a release and ends at it or later. */
export function crosses({ from, to }: Upgrade, release: string): 'yes' | 'no' | 'undecided' {
  const before = releaseAtLeast(from, release);
  const after = releaseAtLeast(to, release);
  if (before === 'yes' || after === 'no') return 'no';
  return before === 'no' && after === 'yes' ? 'yes' : 'undecided';
}
