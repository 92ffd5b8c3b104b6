'use client';

import { Button } from '#components/ui/button.tsx';
import { useRecheck } from './recheck.tsx';

/** Everything is read at once, which is as quick; the button says which finding one waits for. */
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
