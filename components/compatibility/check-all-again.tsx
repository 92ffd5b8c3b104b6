'use client';

import { Button } from '#components/ui/button.tsx';
import { useRecheck } from './recheck.tsx';

export function CheckAllAgain({ kind = 'plain' }: { kind?: 'plain' | 'primary' }) {
  const { running, check } = useRecheck();
  if (check === null) return null;
  return (
    <Button
      kind={kind}
      onClick={() => running === null && check('all')}
      aria-disabled={running === null ? undefined : true}
    >
      {running === null ? 'Check again' : 'Checking…'}
    </Button>
  );
}
