'use client';

import { useActions } from '#components/actions.tsx';
import { PressForm } from '#components/wizard/press-form.tsx';
import type { StepPlace } from '#lib/console/wizard/index.ts';

/** A button that answers a finding. `reason`: the recorded reason; `revision`: that of the draft on the page. */
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
