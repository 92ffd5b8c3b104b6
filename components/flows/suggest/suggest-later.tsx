'use client';

import { type ComponentProps, lazy, Suspense } from 'react';

const SuggestPanel = lazy(async () => ({ default: (await import('./suggest-panel.tsx')).SuggestPanel }));

/** In a script of its own: who looks at the table never loads it. */
export function SuggestLater(props: ComponentProps<typeof SuggestPanel>) {
  return (
    <Suspense fallback={<p className="min-h-40 px-4 py-3 text-ink-2">Loading…</p>}>
      <SuggestPanel {...props} />
    </Suspense>
  );
}
