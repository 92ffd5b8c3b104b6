import type { ReactNode } from 'react';

/** Ids that connect a field with its hint and its error, for the input's `aria-describedby` and `aria-invalid`. */
export function describedBy(id: string, { hint, error }: { hint?: unknown; error?: unknown }) {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  return { 'aria-describedby': ids || undefined, 'aria-invalid': error === undefined ? undefined : true };
}

export const inputLook =
  'min-h-9 w-full rounded-md border border-edge bg-sheet px-2.5 py-1.5 text-ink placeholder:text-ink-3 aria-invalid:border-red';

/** Label, hint, input and error. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-[560]">
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-ink-2">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1 text-sm font-[560] text-red">
          {error}
        </p>
      )}
    </div>
  );
}
