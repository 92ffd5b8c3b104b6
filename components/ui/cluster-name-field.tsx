import type { ReactNode } from 'react';
import { describedBy, Field, inputLook } from './field.tsx';

/** The cluster's name, typed by whoever is about to move it: asked where traffic is affected or nothing can be undone. Pasting is fine. */
export function ClusterNameField({
  id,
  label,
  error,
  typed,
  onType,
}: {
  id: string;
  label: ReactNode;
  error: string | undefined;
  typed: string;
  onType: (text: string) => void;
}) {
  return (
    <Field id={id} label={label} error={error}>
      <input
        id={id}
        name="confirmation"
        className={`${inputLook} font-mono`}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...describedBy(id, { error })}
      />
    </Field>
  );
}
