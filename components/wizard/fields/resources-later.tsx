'use client';

import { type ComponentProps, lazy } from 'react';
import type { ResourcesFields } from '#components/custom-resources/resources-fields.tsx';

/** What one step alone needs, a parser of YAML too, is loaded with it, not with each step. */
const Fields = lazy(async () => ({
  default: (await import('#components/custom-resources/resources-fields.tsx')).ResourcesFields,
}));

/** Loaded later, without a placeholder (changes-later.tsx says why). */
export function ResourcesLater(props: ComponentProps<typeof ResourcesFields>) {
  return <Fields {...props} />;
}
