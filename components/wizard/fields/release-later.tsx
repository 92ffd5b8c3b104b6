'use client';

import { type ComponentProps, lazy, Suspense } from 'react';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { ReleaseBelow } from '../release-below.tsx';
import type { ReleaseFields } from './release-fields.tsx';

/** What one step alone needs is loaded with it, not with each step. */
const Fields = lazy(async () => ({ default: (await import('./release-fields.tsx')).ReleaseFields }));
const Below = lazy(async () => ({ default: (await import('../release-below.tsx')).ReleaseBelow }));

export function ReleaseFieldsLater(props: ComponentProps<typeof ReleaseFields>) {
  return (
    <Suspense fallback={<Skeleton label="Loading the releases" widths={['w-2/3', 'w-1/2', 'w-2/3']} />}>
      <Fields {...props} />
    </Suspense>
  );
}

export function ReleaseBelowLater(props: ComponentProps<typeof ReleaseBelow>) {
  return (
    <Suspense fallback={<Skeleton label="Loading the files" widths={['w-2/3', 'w-1/2']} />}>
      <Below {...props} />
    </Suspense>
  );
}
