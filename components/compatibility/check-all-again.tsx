'use client';

import { Button } from '#components/ui/button.tsx';
import { useRecheck } from './recheck.tsx';

export function CheckAllAgain() {
  const { running, check } = useRecheck();
  if (check === null) return null;
  return (
    <Button onClick={() => running === null && check('all')} aria-disabled={running === null ? undefined : true}>
      {running === null ? 'Check again' : 'Checking…'}
    </Button>
  );
}
