'use client';

import { Button } from '#components/ui/button.tsx';
import { useRecheck } from './recheck.tsx';

/** `words`: where a page has two of them, each has its own. */
export function CheckAllAgain({
  kind = 'plain',
  words = 'Check again',
}: {
  kind?: 'plain' | 'primary';
  words?: string;
}) {
  const { running, check } = useRecheck();
  if (check === null) return null;
  return (
    <Button
      kind={kind}
      onClick={() => running === null && check('all')}
      aria-disabled={running === null ? undefined : true}
    >
      {running === null ? words : 'Checking…'}
    </Button>
  );
}
