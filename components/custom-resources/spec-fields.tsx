'use client';

import { type ReactNode, useId, useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { describedBy, inputLook } from '#components/ui/field.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import type { Path } from '#lib/installation/in-browser.ts';
import { listOf, numberOrText, type Spec, withValue } from './edit-spec.ts';
import { useSpecEditing, useSpecField } from './spec-editing.tsx';

type Given = { path: Path; label: string; hint?: string | undefined; wide?: boolean };

const kinds = {
  text: (text: string) => (text === '' ? undefined : text),
  number: numberOrText,
  list: listOf,
  /** Lists of objects with a name, e.g. Secrets. */
  names: (text: string) => listOf(text)?.map((name) => ({ name })),
} as const;

/** A text field of the Installation. Empty removes the field, so that the operator's default counts. */
export function SpecText({
  kind = 'text',
  placeholder,
  shown,
  ...given
}: Given & { kind?: keyof typeof kinds; placeholder?: string; shown?: string }) {
  const takeOver = useTakeOver();
  const { spec, change } = useSpecEditing();
  const field = useSpecField(given.path);
  const now = shown ?? field.text;
  // Shows a list as typed while that means the same as the document.
  const [typed, setTyped] = useState(now);
  const means = (text: string) => JSON.stringify(kinds[kind](text));
  return (
    <LabelledField {...given} field={field}>
      {(described) => (
        <input
          id={field.id}
          className={`${inputLook} font-mono`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode={kind === 'number' ? 'numeric' : undefined}
          placeholder={placeholder}
          ref={takeOver}
          value={means(typed) === means(now) ? typed : now}
          onChange={({ target: { value } }) => {
            setTyped(value);
            change(withValue(spec, given.path, kinds[kind](value)));
          }}
          {...described}
        />
      )}
    </LabelledField>
  );
}

/** A field with several values. A choice without a value removes the field. `choose`: for choices that change other fields too. */
export function SpecSelect({
  choices,
  choose,
  ...given
}: Given & { choices: readonly { value: string; title: string }[]; choose?: (spec: Spec, value: string) => Spec }) {
  const takeOver = useTakeOver();
  const { spec, change } = useSpecEditing();
  const field = useSpecField(given.path);
  const isKnown = choices.some(({ value }) => value === field.text);
  return (
    <LabelledField {...given} field={field}>
      {(described) => (
        <select
          id={field.id}
          className={inputLook}
          ref={takeOver}
          value={field.text}
          onChange={({ target: { value } }) =>
            change(choose ? choose(spec, value) : withValue(spec, given.path, value === '' ? undefined : value))
          }
          {...described}
        >
          {choices.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
          {!isKnown && <option value={field.text}>{field.text || 'as in the YAML'}</option>}
        </select>
      )}
    </LabelledField>
  );
}

/** Label and input, with the reason of the proposal, warnings and errors. */
export function LabelledField({
  label,
  hint,
  wide = false,
  field: { id, error, warning, because },
  children,
}: Omit<Given, 'path'> & {
  field: Pick<ReturnType<typeof useSpecField>, 'id' | 'error' | 'warning' | 'because'>;
  children: (described: ReturnType<typeof describedBy>) => ReactNode;
}) {
  const more = useId();
  const hasMore = warning !== undefined || because !== undefined;
  const { 'aria-describedby': ids, ...invalid } = describedBy(id, {
    ...(hint === undefined ? {} : { hint }),
    ...(error === undefined ? {} : { error }),
  });
  const described = { ...invalid, 'aria-describedby': [ids, hasMore && more].filter(Boolean).join(' ') || undefined };
  return (
    <div className={`min-w-0 ${wide ? 'col-span-full' : ''}`}>
      <label htmlFor={id} className="mb-1 block font-[560]">
        {label}
      </label>
      {children(described)}
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1 text-sm font-[560] text-red">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-ink-2">
          {hint}
        </p>
      )}
      {hasMore && (
        <div id={more}>
          {warning !== undefined && <FieldWarning>{warning}</FieldWarning>}
          {because !== undefined && <Proposed>{because}</Proposed>}
        </div>
      )}
    </div>
  );
}

export function FieldWarning({ children }: { children: ReactNode }) {
  return (
    <p className="mt-1 text-sm text-ink-2">
      <StateMark state="warn">Doubt</StateMark> {children}
    </p>
  );
}

export function Proposed({ children }: { children: ReactNode }) {
  return (
    <p className="mt-1 text-sm text-ink-2">
      <span className="mr-1.5 rounded border border-line bg-sheet px-1.5 text-xs font-medium">proposed</span>
      {children}
    </p>
  );
}
