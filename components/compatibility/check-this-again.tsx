'use client';

import { Button } from '#components/ui/button.tsx';
import { useRecheck } from './recheck.tsx';

/** Reads the whole cluster, which takes no longer than one finding; only this button shows progress. */
export function CheckThisAgain({ id, title }: { id: string; title: string }) {
  const { running, check } = useRecheck();
  if (check === null) return null;
  return (
    <Button
      data-key="c"
      onClick={() => running === null && check(id)}
      aria-disabled={running === null ? undefined : true}
      aria-label={`${running === id ? 'Checking…' : 'Check this again'}: ${title}`}
    >
      {running === id ? 'Checking…' : 'Check this again'}
    </Button>
  );
}
