import type { Facts } from '#lib/facts/index.ts';
import { type Choices, proposedRelease, releaseAtLeast } from '#lib/spec/index.ts';

/** The installed release and the target. `proposal`: the target was neither chosen nor accepted. */
export type Upgrade = {
  readonly from: string;
  readonly to: string;
  readonly origin: 'chosen' | 'accepted' | 'proposal';
};

export type UpgradeTarget =
  | { readonly kind: 'release'; readonly version: string; readonly origin: Upgrade['origin'] }
  | { readonly kind: 'malformed'; readonly text: string }
  | { readonly kind: 'none' };

/** The target release: the chosen one, `3.31.4` or `v3.31.4`, otherwise the proposal for the installed release. */
export function upgradeTarget({ installation }: Facts, { release, acceptProposals }: Choices): UpgradeTarget {
  if (release !== undefined) {
    const version = release.trim();
    if (!/^v?\d+\.\d+\.\d+$/.test(version)) return { kind: 'malformed', text: release };
    return { kind: 'release', version: version.startsWith('v') ? version : `v${version}`, origin: 'chosen' };
  }
  const proposed = installation.version === null ? null : proposedRelease(installation.version);
  if (proposed === null) return { kind: 'none' };
  return { kind: 'release', version: proposed, origin: acceptProposals ? 'accepted' : 'proposal' };
}

/** Whether an upgrade starts before this release and ends at it or later. */
export function crosses({ from, to }: Upgrade, release: string): 'yes' | 'no' | 'undecided' {
  const before = releaseAtLeast(from, release);
  const after = releaseAtLeast(to, release);
  if (before === 'yes' || after === 'no') return 'no';
  return before === 'no' && after === 'yes' ? 'yes' : 'undecided';
}
