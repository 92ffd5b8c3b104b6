'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { useActions } from '#components/actions.tsx';
import { useRecheck } from '#components/compatibility/recheck.tsx';
import type { FormStepId, Ready, SavedAnswers, StepPlace, Values } from '#lib/console/wizard/index.ts';
import { useAnsweredAction } from '../use-answered-action.ts';
import { FormFieldsProvider, formFields } from './form-fields.ts';
import { FormProblem } from './form-problem.tsx';
import { noErrors, ServerErrors } from './server-errors.ts';
import { StepFooter } from './step-footer.tsx';
import { useStepForm } from './use-step-form.ts';

/**
 * A step: its fields, its findings (`below`), and the footer. Without script it is a plain form with the same action. With script, values are saved while they are
 * typed, and the page is left only after they are saved.
 */
export function StepForm({
  place,
  saved,
  ready,
  back,
  children,
  below,
}: {
  place: StepPlace & { step: FormStepId };
  saved: SavedAnswers;
  ready: Ready;
  back: string | null;
  children: ReactNode;
  below: ReactNode;
}) {
  const continuing = useAnsweredAction(useActions().continueStep.bind(null, place));
  const { answer } = continuing;
  const failure = answer !== null && !answer.ok ? answer : null;
  const shown = failure?.typed ?? saved.values;
  const keeping = useStepForm(place, saved, shown);
  const { form, saving, flush } = keeping;
  const [fields] = useState(() => formFields(form, shown));
  const [leaving, setLeaving] = useState<'no' | 'asked' | 'refused'>('no');
  const recheck = useRecheck();
  const isOff =
    recheck.running !== null || (ready.kind === 'not-ready' && saving.kind === 'saved' && !keeping.isLooking);

  const send = async (values: Values) => {
    setLeaving('asked');
    const settled = await flush();
    setLeaving('no');
    if (settled === null) return;
    const data = new FormData();
    for (const [name, value] of Object.entries({ ...values, revision: String(settled.revision) }))
      data.set(name, value);
    continuing.send(data);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isOff) setLeaving('refused');
    else void form.handleSubmit(send, () => setLeaving('refused'))();
  };
  const id = `step-${place.step}`;

  return (
    <FormProvider {...form}>
      <FormFieldsProvider value={fields}>
        <ServerErrors value={failure?.fields ?? noErrors}>
          <FormProblem failure={failure} keeping={keeping} isRefused={leaving === 'refused' && !isOff} />
          <form id={id} action={continuing.form.action} onSubmit={onSubmit} noValidate autoComplete="off">
            {/* What Enter in a field presses: the first button of a form, which must not be one that fills in something else. */}
            <button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
            <input type="hidden" name="revision" value={saved.revision} />
            <input type="hidden" name="plain" value="yes" />
            {children}
          </form>
          {below}
          <StepFooter
            form={id}
            back={back}
            onward={place.from === 'ready' ? 'Done' : 'Continue'}
            off={isOff ? (recheck.running === null ? reasonOf(ready) : 'The cluster is being read again.') : null}
            isRefused={leaving === 'refused'}
            work={continuing.isPending || leaving === 'asked' ? 'continuing' : keeping.isLooking ? 'looking' : null}
            saving={saving}
          />
        </ServerErrors>
      </FormFieldsProvider>
    </FormProvider>
  );
}

function reasonOf(ready: Ready): string {
  return ready.kind === 'ready' ? '' : ready.because;
}
