'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { describedBy, Field, inputLook } from '#components/ui/field.tsx';
import { keyFromLink } from './key-from-link.ts';

/** A form to paste a sign-in link, to continue in this tab or through a tunnel. */
export function LinkForm({ give }: { give: (key: string) => Promise<void> }) {
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get('link');
    const key = keyFromLink(typeof text === 'string' ? text : '');
    if (key === null) setError('Not a sign-in link. It should end in #key=… with 43 characters.');
    else void give(key);
  };
  return (
    <form onSubmit={submit} className="mt-6" autoComplete="off">
      <Field id="link" label="Or paste it here, and continue in this tab" error={error}>
        <div className="flex gap-2">
          <input
            id="link"
            name="link"
            autoComplete="off"
            className={inputLook}
            spellCheck={false}
            {...describedBy('link', { error })}
          />
          <Button type="submit" kind="primary">
            Sign in
          </Button>
        </div>
      </Field>
    </form>
  );
}
