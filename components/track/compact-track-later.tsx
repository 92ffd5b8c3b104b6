'use client';

import { type ComponentProps, lazy, Suspense } from 'react';

const CompactTrack = lazy(async () => ({ default: (await import('./compact-track.tsx')).CompactTrack }));

/**
 * The track on pages that a server makes: in its own script, which no step but the review needs, and in one piece. Of an SVG that a server component draws
 * React hides what comes later by an inline style, which the policy refuses.
 */
export function CompactTrackLater(props: ComponentProps<typeof CompactTrack>) {
  return (
    <Suspense fallback={<div className="min-h-[136px]" />}>
      <CompactTrack {...props} />
    </Suspense>
  );
}
