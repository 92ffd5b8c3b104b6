'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';

/** How often a cluster that does not answer is asked again without a press. */
const byItselfEveryMs = 10_000;

/** Asks the server for this page again; what was typed elsewhere stays. `byItself`: also without a press, while somebody looks. */
export function TryAgain({ byItself = false }: { byItself?: boolean }) {
  const router = useRouter();
  const [pending, begin] = useTransition();
  useEffect(() => {
    if (!byItself) return;
    const timer = setInterval(() => {
      // Not as a press: the button stays on, and keeps the focus.
      if (document.visibilityState === 'visible') router.refresh();
    }, byItselfEveryMs);
    return () => clearInterval(timer);
  }, [byItself, router]);
  return (
    <Button kind="primary" disabled={pending} onClick={() => begin(() => router.refresh())}>
      {pending ? 'Asking again…' : 'Try again'}
    </Button>
  );
}
