'use client';

import { lazy, Suspense } from 'react';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { Values } from '#lib/console/wizard/index.ts';
import type { UpgradeChanges } from '#lib/plan/index.ts';

/** What one step alone needs is loaded with it, not with each step. */
const ChangesFields = lazy(async () => ({ default: (await import('./changes-fields.tsx')).ChangesFields }));

export function ChangesLater(props: { changes: UpgradeChanges; kept: Values }) {
  return (
    <Suspense fallback={<Skeleton label="Loading the changes" widths={['w-2/3', 'w-1/2', 'w-2/3']} />}>
      <ChangesFields {...props} />
    </Suspense>
  );
}
