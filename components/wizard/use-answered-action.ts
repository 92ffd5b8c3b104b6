'use client';

import { type FormEvent, useActionState, useState, useTransition } from 'react';
import { callAction } from '#components/ui/call/failure-of-call.ts';
import type { KeepAnswer, SavedAnswers } from '#lib/console/wizard/index.ts';
import { actionFailure } from './action-failure.ts';

type Answered = { ok: true; value: SavedAnswers | null } | Exclude<KeepAnswer, { ok: true }>;

export type Action = (before: unknown, form: FormData) => Promise<Answered | null>;

export type AnsweredAction = {
  answer: Answered | null;
  /** Properties of the form. Without script the action answers with a separate page. */
  form: { action: (form: FormData) => void; onSubmit: (event: FormEvent<HTMLFormElement>) => void };
  send: (form: FormData) => void;
  isPending: boolean;
};

/** A server action of a form that always ends with an answer, so that a console that does not answer or an ended session does not replace the page. */
export function useAnsweredAction(action: Action): AnsweredAction {
  const [plain, plainAction] = useActionState<Answered | null, FormData>(action, null);
  const [answer, setAnswer] = useState<Answered | null>(null);
  const [isPending, start] = useTransition();
  const send = (form: FormData) =>
    start(async () => {
      setAnswer(await callAction(() => action(null, form), actionFailure));
    });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The button is not `disabled`, to keep the focus; a second press during a request is ignored.
    if (isPending) return;
    const form = new FormData(event.currentTarget);
    form.delete('plain');
    send(form);
  };
  return { answer: answer ?? plain, form: { action: plainAction, onSubmit }, send, isPending };
}
