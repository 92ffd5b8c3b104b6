import type { ComponentProps } from 'react';
import { TrackPanel } from './track-panel.tsx';
import type { ReleasesOfRun } from './upgrade/release-lines.ts';
import { ReleasePanel } from './upgrade/release-panel.tsx';

/** A run as a picture: its steps as a line of track; for an upgrade, its releases as lines with the nodes on them. */
export function Track({
  upgrade,
  pace,
  ...track
}: Omit<ComponentProps<typeof TrackPanel>, 'isMoving'> & {
  upgrade: { releases: ReleasesOfRun } | null;
  pace: 'moving' | 'standing';
}) {
  if (upgrade === null) return <TrackPanel {...track} isMoving={pace === 'moving'} />;
  return (
    <ReleasePanel view={track.view} releases={upgrade.releases} state={track.state}>
      {track.children}
    </ReleasePanel>
  );
}
