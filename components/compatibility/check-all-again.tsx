'use client';

import { Button } from '#components/ui/button.tsx';
import { useRecheck } from './recheck.tsx';

/** `words`: the label; it differs if a page has two of these buttons. */
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
