'use client';

import { type ComponentProps, lazy } from 'react';
import type { ReleaseBelow } from '../release-below.tsx';
import type { ReleaseFields } from './release-fields.tsx';

/** What one step alone needs is loaded with it, not with each step. */
const Fields = lazy(async () => ({ default: (await import('./release-fields.tsx')).ReleaseFields }));
const Below = lazy(async () => ({ default: (await import('../release-below.tsx')).ReleaseBelow }));

/** Loaded later, without a placeholder (changes-later.tsx says why). */
export function ReleaseFieldsLater(props: ComponentProps<typeof ReleaseFields>) {
  return <Fields {...props} />;
}

export function ReleaseBelowLater(props: ComponentProps<typeof ReleaseBelow>) {
  return <Below {...props} />;
}
