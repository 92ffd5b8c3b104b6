'use client';

import { Button, ButtonLink } from '#components/ui/button.tsx';
import type { Saving } from './autosave.ts';

/** *Back* and *Continue*, and between them why *Continue* is disabled or the saving state. Always visible, and never over a focused field. */
export function StepFooter({
  form,
  back,
  onward,
  off,
  isRefused,
  work,
  saving,
}: {
  form: string;
  back: string | null;
  onward: string;
  off: string | null;
  isRefused: boolean;
  work: 'continuing' | 'looking' | null;
  saving: Saving;
}) {
  return (
    <div className="sticky bottom-0 z-10 mt-6 flex min-h-(--footer-height) items-center gap-4 border-t border-line bg-paper py-3">
      {back !== null && <ButtonLink href={back}>Back</ButtonLink>}
      <p
        id="continue-reason"
        aria-live="polite"
        className={`min-w-0 flex-1 text-sm ${off !== null && isRefused ? 'font-[560] text-red' : 'text-ink-3'}`}
      >
        {off ?? (work === null ? savingWords[saving.kind] : workWords[work])}
      </p>
      <Button
        kind={off === null ? 'primary' : 'plain'}
        type="submit"
        form={form}
        aria-disabled={off !== null || work === 'continuing' ? true : undefined}
        aria-describedby="continue-reason"
      >
        {onward}
      </Button>
    </div>
  );
}

const workWords = { continuing: 'Checking this answer…', looking: 'Saved. Checking…' } as const;

const savingWords: Record<Saving['kind'], string> = {
  saved: '',
  typed: 'Typing…',
  incomplete: 'Not saved: a field is empty or wrong.',
  saving: 'Keeping…',
  conflict: 'Choose between the two answers above.',
  failed: 'Not kept yet.',
};
