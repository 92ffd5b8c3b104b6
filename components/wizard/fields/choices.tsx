'use client';

import type { ReactNode } from 'react';
import { ChoiceCard } from '#components/ui/choice-card.tsx';
import { useFieldError } from '../step/server-errors.ts';
import { useRegister } from '../step/use-register.ts';

export type Choice = {
  value: string;
  title: string;
  text: ReactNode;
  proposed: string | null;
  because: ReactNode | null;
};

/** One question with its answers as cards. Choosing never navigates (WCAG 2.2, 3.2.2). */
export function Choices({
  name,
  legend,
  choices,
  chosen,
  columns = 'one',
  id = name,
}: {
  name: string;
  /** Where an error's link leads, for a group that shares its name with another. */
  id?: string;
  /** For screen readers, instead of the heading above. */
  legend: string;
  choices: readonly Choice[];
  /** The stored answer: selected before any script runs. */
  chosen: string | undefined;
  columns?: 'one' | 'two';
}) {
  const register = useRegister();
  const error = useFieldError(name);
  return (
    <fieldset id={id} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className="sr-only">{legend}</legend>
      <div className={columns === 'two' ? 'grid gap-2 min-[480px]:grid-cols-2' : 'grid gap-2'}>
        {choices.map(({ value, title, text, proposed, because }) => (
          <ChoiceCard
            key={value}
            type="radio"
            value={value}
            title={title}
            defaultChecked={value === chosen}
            {...register(name)}
            {...(proposed === null ? {} : { proposed })}
            {...(because === null ? {} : { because })}
          >
            {text}
          </ChoiceCard>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1 text-sm font-[560] text-red">
          {error}
        </p>
      )}
    </fieldset>
  );
}
