'use client';

import { type ComponentType, lazy, Suspense } from 'react';

/** Panels in scripts of their own: who looks at the table never loads them, nor the libraries that lay the map out and draw it. */
export const ChangesLater = later(async () => (await import('./changes/changes-panel.tsx')).ChangesPanel);
export const SuggestLater = later(async () => (await import('./suggest/suggest-panel.tsx')).SuggestPanel);
export const WhyLater = later(async () => (await import('./why/why-panel.tsx')).WhyPanel);
export const MapLater = later(async () => (await import('./map/map-panel.tsx')).MapPanel, {
  room: 'min-h-[568px]',
  words: 'Drawing the map…',
});

/** `room`: the height that the panel will take at least, so that nothing below it moves. */
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
