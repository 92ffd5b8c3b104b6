'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';

/** Asks the server for this page again; what was typed elsewhere stays. */
export function TryAgain() {
  const router = useRouter();
  const [pending, begin] = useTransition();
  return (
    <Button kind="primary" disabled={pending} onClick={() => begin(() => router.refresh())}>
      {pending ? 'Asking again…' : 'Try again'}
    </Button>
  );
}
