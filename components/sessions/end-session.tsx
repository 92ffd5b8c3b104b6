'use client';

import { useActionState } from 'react';
import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { unreachableAsFailure } from '#components/ui/call/unreachable-as-failure.ts';
import { Notice } from '#components/ui/notice.tsx';

/** Asks for no confirmation, because nothing is lost: typed text is saved, and a new link signs in again. */
export function EndSession({ session, browser, since }: { session: string; browser: string; since: string }) {
  const { endSession } = useActions();
  const [answer, end, isPending] = useActionState(unreachableAsFailure(endSession), null);
  return (
    <form action={end}>
      <input type="hidden" name="session" value={session} />
      <Button
        type="submit"
        kind="danger"
        disabled={isPending}
        aria-label={`Sign out: ${browser}, signed in ${since.slice(0, 19).replace('T', ' ')} UTC`}
      >
        Sign out
      </Button>
      {answer !== null && !answer.ok && !isPending && <Notice state="bad" title={answer.message} />}
    </form>
  );
}
