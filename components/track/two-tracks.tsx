'use client';

import { memo, useMemo } from 'react';
import type { NodeLine } from '#lib/console/wire.ts';
import { nodesByPlane } from './nodes-by-plane.ts';
import { tracksSentence } from './tracks-sentence.ts';
import { TwoTracksDrawing } from './two-tracks-drawing.tsx';
import { twoTracksFrames } from './two-tracks-layout.ts';
import { TwoTracksList } from './two-tracks-list.tsx';

/**
 * The two data planes as parallel tracks with the nodes on them. Drawn for three widths of the box that it stands in; the others are not
 * displayed. The list says the same to those who do not see it. `standard` names what the standard plane is made of: `iptables`, `nftables`.
 */
export const TwoTracks = memo(function TwoTracks({
  nodes,
  standard,
}: {
  nodes: readonly NodeLine[];
  standard: string | null;
}) {
  const byPlane = useMemo(() => nodesByPlane(nodes), [nodes]);
  const label = tracksSentence(byPlane);
  const drawing = (frame: keyof typeof twoTracksFrames) => (
    <TwoTracksDrawing nodes={byPlane} frame={twoTracksFrames[frame]} standard={standard} label={label} />
  );
  return (
    <div className="@container">
      <div className="mx-auto max-w-[440px] @min-[640px]:hidden">{drawing('narrow')}</div>
      <div className="hidden @min-[640px]:block @min-[960px]:hidden">{drawing('middle')}</div>
      <div className="hidden @min-[960px]:block">{drawing('wide')}</div>
      <TwoTracksList nodes={byPlane} standard={standard} />
    </div>
  );
});
