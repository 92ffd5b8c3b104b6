'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useActions } from '#components/actions.tsx';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { Button } from '#components/ui/button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { DisclosureButton } from '#components/ui/disclosure-button.tsx';
import { describedBy, Field, inputLook } from '#components/ui/field.tsx';
import { rememberedTyped, rememberTyped } from '#components/wizard/step/typed-text.ts';
import { useAnsweredAction } from '#components/wizard/use-answered-action.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { StepPlace } from '#lib/console/wizard/index.ts';

/**
 * A form for the reason of an acceptance, which is recorded in the plan and the run's report. Opens in place, also without script. `ids`: the findings; `name`
 * distinguishes this form from others of the page.
 */
export function AcknowledgeForm({
  place,
  revision,
  name,
  ids,
  title,
  of,
  before,
  look = 'button',
}: {
  place: StepPlace;
  /** The draft's revision on the page, so that the reason does not apply to an address that was changed meanwhile. */
  revision: number;
  name: string;
  ids: readonly string[];
  title: ReactNode;
  /** The finding's title, if each finding has its own form. */
  of?: string;
  /** An earlier reason to confirm. */
  before?: Finding['acceptedBefore'];
  look?: 'button' | 'link';
}) {
  const takeOver = useTakeOver();
  const { answer, form, isPending } = useAnsweredAction(useActions().acknowledge.bind(null, place));
  const first = before?.reason ?? '';
  const [reason, setReason] = useState(first);
  const step = `reason ${name}`;
  useEffect(() => setReason(rememberedTyped(place.draft, step)?.values.reason ?? first), [place.draft, step, first]);
  const type = (typed: string) => {
    setReason(typed);
    rememberTyped(place.draft, step, typed === first ? null : { base: {}, values: { reason: typed } });
  };
  const error = answer !== null && !answer.ok ? answer.message : undefined;
  const field = `reason-${name}`;
  const Opening = look === 'button' ? DisclosureButton : Disclosure;
  return (
    <Opening
      summary={
        <>
          <span>{title}</span>
          {of !== undefined && <span className="sr-only">: {of}</span>}
        </>
      }
    >
      <form {...form} className="@container">
        <div className="flex flex-wrap items-start gap-2">
          {ids.map((id) => (
            <input key={id} type="hidden" name="id" value={id} />
          ))}
          <input type="hidden" name="revision" value={revision} />
          <input type="hidden" name="plain" value="yes" />
          <div className="min-w-48 flex-1">
            <Field
              id={field}
              label="Why is it safe to skip?"
              hint={
                before === undefined
                  ? 'Recorded with the run.'
                  : `From run ${before.run}, ${before.at.slice(0, 10)}. Confirm it if it still holds.`
              }
              error={error}
            >
              <input
                id={field}
                name="reason"
                data-key="a"
                ref={takeOver}
                value={reason}
                maxLength={500}
                autoComplete="off"
                onChange={(event) => type(event.target.value)}
                className={inputLook}
                {...describedBy(field, { hint: true, error })}
              />
            </Field>
          </div>
          {/* Beside the field, the margin puts the button at the height of the input, not of its label. */}
          <Button type="submit" aria-disabled={isPending || undefined} className="@min-[22rem]:mt-6">
            {isPending ? 'Recording…' : before === undefined ? 'Record this reason' : 'Confirm this reason'}
            {of !== undefined && <span className="sr-only">: {of}</span>}
          </Button>
        </div>
      </form>
    </Opening>
  );
}
