'use client';

import { useActionState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { consoleGone } from '#components/ui/console-gone.ts';
import { failureOfCall } from '#components/ui/failure-of-call.ts';
import type { HostAnswer } from '#lib/console/host.ts';
import { reviewAgain } from './actions.ts';

export function ReviewAgain({ cluster, draft }: { cluster: string; draft: string }) {
  const [answer, again, isPending] = useActionState(againOrSay, null);
  return (
    <form action={again}>
      <input type="hidden" name="cluster" value={cluster} />
      <input type="hidden" name="draft" value={draft} />
      <Button type="submit" disabled={isPending}>
        {isPending ? 'Reads the cluster…' : 'Make it again'}
      </Button>
      {answer !== null && !answer.ok && !isPending && (
        <p role="alert" className="mt-1 max-w-[40ch] text-sm text-red">
          {answer.message}
        </p>
      )}
    </form>
  );
}

function againOrSay(before: HostAnswer<null> | null, form: FormData): Promise<HostAnswer<null>> {
  return reviewAgain(before, form).catch((error: unknown) => failureOfCall(error, consoleGone));
}
