'use client';

import { type ComponentProps, lazy, Suspense } from 'react';

const WhyPanel = lazy(async () => ({ default: (await import('./why-panel.tsx')).WhyPanel }));

/** In a script of its own: who looks at the table never loads it. */
export function WhyLater(props: ComponentProps<typeof WhyPanel>) {
  return (
    <Suspense fallback={<p className="min-h-40 px-4 py-3 text-ink-2">Loading…</p>}>
      <WhyPanel {...props} />
    </Suspense>
  );
}
