'use client';

import { type ComponentProps, lazy, Suspense } from 'react';

const ChangesPanel = lazy(async () => ({ default: (await import('./changes-panel.tsx')).ChangesPanel }));

/** In a script of its own: who looks at the table never loads it. */
export function ChangesLater(props: ComponentProps<typeof ChangesPanel>) {
  return (
    <Suspense fallback={<p className="min-h-40 px-4 py-3 text-ink-2">Loading…</p>}>
      <ChangesPanel {...props} />
    </Suspense>
  );
}
