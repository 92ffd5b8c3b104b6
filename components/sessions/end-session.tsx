'use client';

import { useActionState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { consoleGone } from '#components/ui/console-gone.ts';
import { failureOfCall } from '#components/ui/failure-of-call.ts';
import { Notice } from '#components/ui/notice.tsx';
import type { HostAnswer } from '#lib/console/host.ts';
import { endSession } from './actions.ts';

/** Nothing is lost by it: what was typed there is kept, and a new link signs in again. So it asks nothing. */
export function EndSession({ session, browser }: { session: string; browser: string }) {
  const [answer, end, isPending] = useActionState(endOrSay, null);
  return (
    <form action={end}>
      <input type="hidden" name="session" value={session} />
      <Button type="submit" kind="danger" disabled={isPending} aria-label={`Sign out: ${browser}`}>
        Sign out
      </Button>
      {answer !== null && !answer.ok && !isPending && <Notice state="bad" title={answer.message} />}
    </form>
  );
}

function endOrSay(before: HostAnswer<null> | null, form: FormData): Promise<HostAnswer<null>> {
  return endSession(before, form).catch((error: unknown) => failureOfCall(error, consoleGone));
}
