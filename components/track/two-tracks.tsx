'use client';

import { memo, useMemo } from 'react';
import { counted, thousands } from '#lib/base/words.ts';
import type { NodeLine } from '#lib/console/wire.ts';
import { type NodesByPlane, nodesByPlane } from './nodes-by-plane.ts';
import { TwoTracksDrawing } from './two-tracks-drawing.tsx';
import { twoTracksFrames } from './two-tracks-layout.ts';
import { TwoTracksList } from './two-tracks-list.tsx';

/**
 * The two data planes as parallel tracks with the nodes on them. Drawn for five widths of the box that it stands in, so that its type has the
 * size of the page's; the others are not displayed. A list has the same content for screen readers. `standard`: the kind of the standard data plane: `iptables`, `nftables`.
 */
export const TwoTracks = memo(function TwoTracks({
  nodes,
  standard,
  isDown = false,
}: {
  nodes: readonly NodeLine[];
  standard: string | null;
  /** Nothing serves Services on the standard data plane. */
  isDown?: boolean;
}) {
  const byPlane = useMemo(() => nodesByPlane(nodes), [nodes]);
  const label = tracksSentence(byPlane);
  const drawing = (frame: keyof typeof twoTracksFrames) => (
    <TwoTracksDrawing
      nodes={byPlane}
      frame={twoTracksFrames[frame]}
      standard={standard}
      isDown={isDown}
      label={label}
    />
  );
  return (
    <div className="@container">
      <div className="mx-auto max-w-[440px] @min-[640px]:hidden">{drawing('narrow')}</div>
      <div className="hidden @min-[640px]:block @min-[960px]:hidden">{drawing('middle')}</div>
      <div className="hidden @min-[960px]:block @min-[1360px]:hidden">{drawing('wide')}</div>
      <div className="hidden @min-[1360px]:block @min-[1680px]:hidden">{drawing('broad')}</div>
      <div className="hidden max-w-[1900px] @min-[1680px]:block">{drawing('broadest')}</div>
      <TwoTracksList nodes={byPlane} standard={standard} />
    </div>
  );
});

/** The picture in one sentence: `9 nodes on the standard track, 1 moving, 5 on eBPF, 1 fell back.` Empty groups are left out. */
function tracksSentence(nodes: NodesByPlane): string {
  const parts = [
    { is: nodes.standard.length, words: 'on the standard track' },
    { is: nodes.moving.length, words: 'moving' },
    { is: nodes.bpf.length, words: 'on eBPF' },
    { is: nodes['fell-back'].length, words: 'fell back' },
    { is: nodes.unknown.length, words: 'not known' },
    { is: nodes['not-counted'].length, words: 'not counted' },
  ].filter(({ is }) => is > 0);
  if (parts.length === 0) return 'No node on either track.';
  return `${parts.map(({ is, words }, index) => `${index === 0 ? counted(is, 'node') : thousands(is)} ${words}`).join(', ')}.`;
}
