'use client';

import { type ComponentProps, lazy, Suspense } from 'react';

const MapPanel = lazy(async () => ({ default: (await import('./map-panel.tsx')).MapPanel }));

/** The map in a script of its own, with the libraries that lay it out and draw it: who looks at the table never loads them. */
export function MapLater(props: ComponentProps<typeof MapPanel>) {
  return (
    <Suspense fallback={<p className="min-h-[568px] px-4 py-3 text-ink-2">Drawing the map…</p>}>
      <MapPanel {...props} />
    </Suspense>
  );
}
