'use client';

import { useActionState } from 'react';
import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { unreachableAsFailure } from '#components/ui/call/unreachable-as-failure.ts';

export function ReviewAgain({ cluster, draft }: { cluster: string; draft: string }) {
  const { reviewAgain } = useActions();
  const [answer, again, isPending] = useActionState(unreachableAsFailure(reviewAgain), null);
  return (
    <form action={again}>
      <input type="hidden" name="cluster" value={cluster} />
      <input type="hidden" name="draft" value={draft} />
      <Button type="submit" disabled={isPending}>
        {isPending ? 'Reads the cluster…' : 'Rebuild the plan'}
      </Button>
      {answer !== null && !answer.ok && !isPending && (
        <p role="alert" className="mt-1 max-w-[40ch] text-sm text-red">
          {answer.message}
        </p>
      )}
    </form>
  );
}
