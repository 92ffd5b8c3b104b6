'use client';

import type { ComponentProps } from 'react';
import { Button } from '#components/ui/button.tsx';
import { type Action, useAnsweredAction } from './use-answered-action.ts';

/** A form of hidden `fields` and a button, so that it works without script. Failures are shown below. */
export function PressForm({
  action,
  fields = {},
  ...button
}: Omit<ComponentProps<typeof Button>, 'type' | 'onClick' | 'action'> & {
  action: Action;
  fields?: Readonly<Record<string, string>>;
}) {
  const { answer, form, isPending } = useAnsweredAction(action);
  return (
    <form {...form}>
      {Object.entries({ ...fields, plain: 'yes' }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button {...button} type="submit" aria-disabled={isPending || undefined} />
      {answer?.ok === false && (
        <p role="alert" className="mt-1 text-sm font-[560] text-red">
          {answer.message}
        </p>
      )}
    </form>
  );
}
