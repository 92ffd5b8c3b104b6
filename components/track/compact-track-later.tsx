'use client';

import { type ComponentProps, lazy, Suspense } from 'react';

const CompactTrack = lazy(async () => ({ default: (await import('./compact-track.tsx')).CompactTrack }));

/**
 * The track on server-rendered pages, in a separate script, because only the review needs it. It is not rendered by a server component, because React hides parts of
 * a streamed SVG with inline styles, which the Content-Security-Policy refuses.
 */
export function CompactTrackLater(props: ComponentProps<typeof CompactTrack>) {
  return (
    <Suspense fallback={<div className="min-h-[136px]" />}>
      <CompactTrack {...props} />
    </Suspense>
  );
}
