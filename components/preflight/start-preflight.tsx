'use client';

import { useActions } from '#components/actions.tsx';
import { PressForm } from '#components/wizard/press-form.tsx';
import type { StepPlace } from '#lib/console/wizard/index.ts';

/** `digest`: identifies the shown objects, which will be created. */
export function StartPreflight({
  place,
  digest,
  kind,
  words,
}: {
  place: StepPlace;
  digest: string;
  kind: 'primary' | 'plain';
  words: string;
}) {
  return (
    <PressForm action={useActions().startPreflight.bind(null, place)} fields={{ digest }} kind={kind}>
      {words}
    </PressForm>
  );
}
