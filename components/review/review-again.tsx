'use client';

import { useActionState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { reviewAgain } from './actions.ts';

export function ReviewAgain({ cluster, draft }: { cluster: string; draft: string }) {
  const [, again, isPending] = useActionState(reviewAgain, null);
  return (
    <form action={again}>
      <input type="hidden" name="cluster" value={cluster} />
      <input type="hidden" name="draft" value={draft} />
      <Button type="submit" disabled={isPending}>
        {isPending ? 'Reads the cluster…' : 'Make it again'}
      </Button>
    </form>
  );
}
