'use client';

import { useActions } from '#components/actions.tsx';
import { PressForm } from '#components/wizard/press-form.tsx';
import type { StepPlace } from '#lib/console/wizard/index.ts';

/** A finding that is answered with one press; `reason`: what is recorded for it, written from the draft of this `revision`. */
export function OneAnswer({
  place,
  revision,
  id,
  reason,
  words,
}: {
  place: StepPlace;
  revision: number;
  id: string;
  reason: string;
  words: string;
}) {
  return (
    <PressForm action={useActions().acknowledge.bind(null, place)} fields={{ id, reason, revision: String(revision) }}>
      {words}
    </PressForm>
  );
}
