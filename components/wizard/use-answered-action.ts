'use client';

import { type FormEvent, useActionState, useState, useTransition } from 'react';
import { callAction } from '#components/ui/call/failure-of-call.ts';
import type { KeepAnswer, Kept } from '#lib/console/wizard/index.ts';
import { actionFailure } from './action-failure.ts';

type Answered = { ok: true; value: Kept | null } | Exclude<KeepAnswer, { ok: true }>;

export type Action = (before: unknown, form: FormData) => Promise<Answered | null>;

export type AnsweredAction = {
  answer: Answered | null;
  /** For the form itself. Without script the action answers by a page of its own. */
  form: { action: (form: FormData) => void; onSubmit: (event: FormEvent<HTMLFormElement>) => void };
  send: (form: FormData) => void;
  isPending: boolean;
};

/** A server action behind a form, whose every end is an answer: a console that is away or an ended session must not replace the page. */
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
    // A button that is not `disabled`, to keep the focus, is pressed again: what is under way, or waits to be sent, is the same press.
    if (isPending) return;
    const form = new FormData(event.currentTarget);
    form.delete('plain');
    send(form);
  };
  return { answer: answer ?? plain, form: { action: plainAction, onSubmit }, send, isPending };
}
