import type { ReactNode } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { describedBy, Field, inputLook } from './field.tsx';

/** A field to type the cluster's name as a confirmation, if traffic is touched or something cannot be undone. Pasting is allowed. */
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
  const takeOver = useTakeOver();
  return (
    <Field id={id} label={label} error={error}>
      <input
        id={id}
        name="confirmation"
        className={`${inputLook} font-mono`}
        ref={takeOver}
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
