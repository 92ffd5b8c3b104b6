'use client';

import { type FormEvent, useActionState, useState } from 'react';
import { type ClusterAction, useActions } from '#components/actions.tsx';
import { isSentAtOnce } from '#components/live/away.ts';
import { Button } from '#components/ui/button.tsx';
import { notSent } from '#components/ui/failure-of-call.ts';
import type { Slug } from '#lib/console/host.ts';

/** A form, so that it works before any script has come. */
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
  /** What tells it from others of the same words, for who hears the page; begins with `words`. */
  label?: string;
}) {
  const [answer, submit, isPending] = useActionState(useActions()[action].bind(null, cluster), null);
  const [isUnsent, setIsUnsent] = useState(false);
  const failure = isUnsent ? notSent : answer;
  // The action itself stays as the server gave it: one that is wrapped does nothing without script (callAction in failure-of-call.ts says the why).
  const sendNowOrNever = async (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const isNow = isSentAtOnce();
    setIsUnsent(false);
    if (isNow === true) return;
    event.preventDefault();
    if (await isNow) form.requestSubmit();
    else setIsUnsent(true);
  };
  return (
    <form action={submit} onSubmit={sendNowOrNever} className="flex flex-col items-end">
      <Button type="submit" kind={kind} disabled={isPending} aria-label={isPending ? undefined : label}>
        {isPending ? pending : words}
      </Button>
      {failure && (
        <p role="alert" className="mt-1 max-w-[36ch] text-sm text-red">
          {failure.message}
        </p>
      )}
    </form>
  );
}
