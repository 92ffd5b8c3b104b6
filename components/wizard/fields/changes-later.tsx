'use client';

import { type ComponentProps, lazy } from 'react';
import type { ChangesFields } from './changes-fields.tsx';

/** What one step alone needs is loaded with it, not with each step. */
const Fields = lazy(async () => ({ default: (await import('./changes-fields.tsx')).ChangesFields }));

/** Nothing stands in for them: the way to the step waits, and the step comes whole and moves nothing. A lazy component itself cannot cross from the server. */
export function ChangesLater(props: ComponentProps<typeof ChangesFields>) {
  return <Fields {...props} />;
}
