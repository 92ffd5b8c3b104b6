'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState, useTransition } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { useActions } from '#components/actions.tsx';
import { callAction } from '#components/ui/call/failure-of-call.ts';
import type { FormStepId, SavedAnswers, StepPlace, Values } from '#lib/console/wizard/index.ts';
import { stepForms } from '#lib/console/wizard/index.ts';
import { actionFailure } from '../action-failure.ts';
import { type Autosave, autosave, type Saving } from './autosave.ts';
import { rememberedTyped, rememberTyped } from './typed-text.ts';

export type KeptForm = {
  form: UseFormReturn<Values>;
  saving: Saving;
  /** The page is being refreshed after saving. */
  isLooking: boolean;
  flush(): Promise<SavedAnswers | null>;
  takeMine(): void;
  takeTheirs(): void;
};

/** A step's form, saved while typing, and restored if the page was left before values were saved. */
export function useStepForm(place: StepPlace & { step: FormStepId }, kept: SavedAnswers, shown: Values): KeptForm {
  const { cluster, draft, step } = place;
  const { saveStep } = useActions();
  const router = useRouter();
  const form = useForm<Values>({
    resolver: zodResolver(stepForms[step].schema),
    defaultValues: shown,
    mode: 'onTouched',
    // The error summary takes the focus and links to the fields.
    shouldFocusError: false,
  });
  const [saving, setSaving] = useState<Saving>({ kind: 'saved' });
  const [isLooking, look] = useTransition();
  const keeper = useRef<Autosave | null>(null);
  const first = useRef(kept);
  /** *Continue* refreshes the page itself. */
  const isLeaving = useRef(false);

  useEffect(() => {
    const lost = rememberedTyped(draft, step);
    let before: Saving['kind'] = 'saved';
    const mine = autosave({
      // Restored text is sent with the answers that it was typed over; if those have changed, the user is asked.
      saved: lost === null ? first.current : { revision: 0, values: lost.base },
      send: (revision, values) => callAction(() => saveStep({ cluster, draft, step }, revision, values), actionFailure),
      isWhole: (values) => stepForms[step].schema.safeParse(values).success,
      tell: (now, unsaved) => {
        if (now.kind === 'saved' && before === 'saving' && !isLeaving.current) look(() => router.refresh());
        before = now.kind;
        setSaving(now);
        rememberTyped(draft, step, unsaved);
      },
    });
    keeper.current = mine;
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: ({ values }) => mine.typed({ ...values }),
    });
    if (lost !== null) {
      form.reset(lost.values, { keepDefaultValues: true });
      mine.typed(lost.values);
    }
    return () => {
      unsubscribe();
      mine.stop();
    };
  }, [cluster, draft, step, form, router, saveStep]);

  useEffect(() => {
    const fresh = keeper.current?.adopt(kept);
    if (fresh) form.reset(fresh);
  }, [kept, form]);

  return {
    form,
    saving,
    isLooking,
    flush: useCallback(async () => {
      isLeaving.current = true;
      const settled = await keeper.current?.flush();
      isLeaving.current = false;
      return settled ?? null;
    }, []),
    takeMine: useCallback(() => keeper.current?.takeMine(), []),
    takeTheirs: useCallback(() => {
      const theirs = keeper.current?.takeTheirs();
      if (theirs) form.reset(theirs);
    }, [form]),
  };
}
