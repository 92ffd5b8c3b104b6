'use client';

import type { ReactNode } from 'react';
import { BreakableText } from '#components/ui/breakable-text.tsx';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { useField, useFormFields } from '../../step/form-fields.ts';
import { useFieldError } from '../../step/server-errors.ts';

export type ChoiceOption = { value: string; title: string; text: ReactNode };

/** One of many questions on a page: a group of radio buttons, each with its effect. `below` is rendered under them. */
export function OneOf({
  name,
  legend,
  initial,
  options,
  aside,
  isTitled = false,
  below = null,
}: {
  name: string;
  /** What it is about: as machines name it, or in the words of the panel around it. */
  legend: string;
  /** The panel around it has that as its title already. */
  isTitled?: boolean;
  /** The stored answer. Empty: nothing is chosen, unless an option has the empty value. */
  initial: string;
  options: readonly ChoiceOption[];
  aside?: ReactNode;
  below?: ReactNode;
}) {
  const error = useFieldError(name);
  return (
    <fieldset
      // Hundreds of them may be on a page: the browser lays out and paints those that are in sight, and all of them on paper.
      className="border-t border-line px-4 py-3 [contain-intrinsic-size:auto_9rem] [content-visibility:auto] print:[content-visibility:visible] first-of-type:border-t-0"
      aria-describedby={error === undefined ? undefined : `${name}-error`}
    >
      <legend className="sr-only">{legend}</legend>
      {!isTitled && (
        <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1" aria-hidden="true">
          <code className="min-w-0 font-semibold [overflow-wrap:anywhere]">
            <BreakableText text={legend} />
          </code>
          {aside}
        </p>
      )}
      <div className="grid gap-0.5">
        {options.map(({ value, title, text }, index) => (
          <Choice key={value} id={index === 0 ? name : undefined} name={name} value={value} initial={initial}>
            <span className="font-[560]">{title}</span>
            <span className="min-w-0 text-sm text-ink-2 max-sm:col-start-2">{text}</span>
          </Choice>
        ))}
      </div>
      {below}
      {error !== undefined && (
        <p id={`${name}-error`} className="mt-1 text-sm font-[560] text-red">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Rendered anew without its row and its texts: one press may choose in hundreds of rows. */
function Choice({
  id,
  name,
  value,
  initial,
  children,
}: {
  id: string | undefined;
  name: string;
  value: string;
  initial: string;
  children: ReactNode;
}) {
  const takeOver = useTakeOver();
  const { give } = useFormFields();
  const isChosen = useField(name, (seen) => (seen.value(name) ?? initial) === value);
  return (
    <label className="grid grid-cols-[auto_minmax(0,9rem)_minmax(0,1fr)] items-baseline gap-x-2.5 rounded-md px-2 py-1 has-checked:bg-blue-tint max-sm:grid-cols-[auto_minmax(0,1fr)]">
      <input
        type="radio"
        id={id}
        name={name}
        value={value}
        ref={takeOver}
        checked={isChosen}
        onChange={() => give(name, value)}
        className="size-4 shrink-0 translate-y-0.5 accent-blue"
      />
      {children}
    </label>
  );
}
