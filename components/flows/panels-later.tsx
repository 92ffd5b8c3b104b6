'use client';

import { type ComponentType, lazy, Suspense } from 'react';

/** Panels in separate scripts, so that the table loads neither them nor the map's libraries. */
export const ChangesLater = later(async () => (await import('./changes/changes-panel.tsx')).ChangesPanel);
export const SuggestLater = later(async () => (await import('./suggest/suggest-panel.tsx')).SuggestPanel);
export const WhyLater = later(async () => (await import('./why/why-panel.tsx')).WhyPanel);
export const MapLater = later(async () => (await import('./map/map-panel.tsx')).MapPanel, {
  room: 'min-h-[568px]',
  words: 'Drawing the map…',
});

/** `room`: reserves the panel's minimum height, so that nothing below moves. */
function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { room, words } = { room: 'min-h-40', words: 'Loading…' },
): ComponentType<Props> {
  const Panel = lazy(async () => ({ default: await load() }));
  return (props) => (
    <Suspense fallback={<p className={`${room} px-4 py-3 text-ink-2`}>{words}</p>}>
      <Panel {...props} />
    </Suspense>
  );
}
