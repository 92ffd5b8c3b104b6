'use client';

import { type ComponentProps, lazy } from 'react';
import type { ChangesFields } from './changes-fields.tsx';

/** Code that only one step needs is loaded with that step, not with every page of the wizard. */
const Fields = lazy(async () => ({ default: (await import('./changes-fields.tsx')).ChangesFields }));

/**
 * Has no placeholder: the navigation waits until the step is complete, so that nothing moves afterwards. A function of its own, because a server component
 * cannot pass a lazy component to the browser.
 */
export function ChangesLater(props: ComponentProps<typeof ChangesFields>) {
  return <Fields {...props} />;
}
