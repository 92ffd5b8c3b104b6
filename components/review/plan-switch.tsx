'use client';

import { useActions } from '#components/actions.tsx';
import { PressForm } from '#components/wizard/press-form.tsx';

/** Turns a part of a plan on or off, after which the plan is rebuilt. */
export function PlanSwitch({
  cluster,
  draft,
  part,
  isOn,
  children,
}: {
  cluster: string;
  draft: string;
  part: 'watchServices' | 'pauseBetween';
  isOn: boolean;
  children: string;
}) {
  return (
    <PressForm
      action={useActions()[part].bind(null, { cluster, draft, step: 'review' })}
      fields={{ turn: isOn ? 'off' : 'on' }}
    >
      {children}
    </PressForm>
  );
}
