'use client';

import { useActions } from '#components/actions.tsx';
import { PressForm } from '#components/wizard/press-form.tsx';

/** Turns the watch of services on or off for this plan, which is then made anew. */
export function WatchSwitch({ cluster, draft, isOn }: { cluster: string; draft: string; isOn: boolean }) {
  return (
    <PressForm
      action={useActions().watchServices.bind(null, { cluster, draft, step: 'review' })}
      fields={{ watch: isOn ? 'off' : 'on' }}
    >
      {isOn ? 'Do not watch Services' : 'Watch Services'}
    </PressForm>
  );
}
