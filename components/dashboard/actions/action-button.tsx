'use client';

import { type FormEvent, useActionState, useRef, useState } from 'react';
import { type ClusterAction, useActions } from '#components/actions.tsx';
import { isSentAtOnce } from '#components/live/away.ts';
import { Button } from '#components/ui/button.tsx';
import { notSent } from '#components/ui/call/failure-of-call.ts';
import type { Slug } from '#lib/console/host.ts';

/** A form with a button, so that it works without script. */
export function ActionButton({
  action,
  cluster,
  words,
  pending,
  kind,
  label,
}: {
  action: ClusterAction;
  cluster: Slug;
  words: string;
  pending: string;
  kind: 'plain' | 'primary';
  /** An accessible name that distinguishes it from other buttons with the same words; begins with `words`. */
  label?: string;
}) {
  const [answer, submit, isPending] = useActionState(useActions()[action].bind(null, cluster), null);
  const [sending, setSending] = useState<'not' | 'waits' | 'unsent'>('not');
  // A second press may come before the first is rendered; it counts as the same.
  const waits = useRef(false);
  const failure = sending === 'unsent' ? notSent : answer;
  const isBusy = isPending || sending === 'waits';
  // The action itself stays as the server gave it: one that is wrapped does nothing without script (callAction in failure-of-call.ts says the why).
  const sendNowOrNever = async (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    if (waits.current) return event.preventDefault();
    const isNow = isSentAtOnce();
    setSending(isNow === true ? 'not' : 'waits');
    if (isNow === true) return;
    event.preventDefault();
    waits.current = true;
    const isThere = await isNow;
    waits.current = false;
    // Another page may have been opened meanwhile.
    if (!form.isConnected) return;
    setSending(isThere ? 'not' : 'unsent');
    if (isThere) form.requestSubmit();
  };
  return (
    <form action={submit} onSubmit={sendNowOrNever} className="flex flex-col items-end">
      <Button type="submit" kind={kind} disabled={isBusy} aria-label={isBusy ? undefined : label}>
        {isBusy ? pending : words}
      </Button>
      {failure && (
        <p role="alert" className="mt-1 max-w-[36ch] text-sm text-red">
          {failure.message}
        </p>
      )}
    </form>
  );
}
