'use client';

import { type ComponentProps, lazy } from 'react';
import type { AfterwardsFields } from './afterwards-fields.tsx';

/** What one step alone needs is loaded with it, not with each step. */
const Fields = lazy(async () => ({ default: (await import('./afterwards-fields.tsx')).AfterwardsFields }));

/** Loaded later, without a placeholder (changes-later.tsx says why). */
export function AfterwardsLater(props: ComponentProps<typeof AfterwardsFields>) {
  return <Fields {...props} />;
}
