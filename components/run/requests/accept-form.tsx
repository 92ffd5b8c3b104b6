'use client';

import { useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { Button } from '#components/ui/button.tsx';
import { describedBy, Field, inputLook } from '#components/ui/field.tsx';
import type { RunRequests } from './use-run-request.ts';

/** Accepts a doubt with a reason, for these subjects and this step only. */
export function AcceptForm({ operation, requests }: { operation: string; requests: RunRequests }) {
  const takeOver = useTakeOver();
  const [reason, setReason] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const error = isEmpty ? 'Give a reason. It is recorded with the run.' : requests.refused?.failure.fields?.acknowledge;
  const hint = 'Recorded with the run, and in its report. A doubt about anything else will be asked again.';
  return (
    <form
      className="flex max-w-[64ch] flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        setEmpty(reason.trim() === '');
        if (reason.trim() !== '') void requests.ask({ action: 'resume', acknowledge: reason });
      }}
    >
      <Field id="reason" label={`Why ${operation} may be taken as done`} hint={hint} error={error}>
        <textarea
          id="reason"
          rows={2}
          className={inputLook}
          ref={takeOver}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          {...describedBy('reason', { hint, error })}
        />
      </Field>
      <div>
        <Button kind="primary" type="submit" disabled={requests.asking !== null}>
          Accept it and continue
        </Button>
      </div>
    </form>
  );
}
