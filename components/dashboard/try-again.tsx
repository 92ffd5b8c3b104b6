'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';

/** Interval of automatic retries. */
const byItselfEveryMs = 10_000;

/**
 * Refreshes this page; typed text elsewhere stays. `byItself`: also automatically while the page is visible. Plain where somebody must grant something first:
 * a primary action does not lead into the same refusal.
 */
export function TryAgain({ byItself = false, kind = 'primary' }: { byItself?: boolean; kind?: 'plain' | 'primary' }) {
  const router = useRouter();
  const [pending, begin] = useTransition();
  useEffect(() => {
    if (!byItself) return;
    const timer = setInterval(() => {
      // Unlike a press, this does not disable the button.
      if (document.visibilityState === 'visible') router.refresh();
    }, byItselfEveryMs);
    return () => clearInterval(timer);
  }, [byItself, router]);
  return (
    <Button kind={kind} disabled={pending} onClick={() => begin(() => router.refresh())}>
      {pending ? 'Asking again…' : 'Try again'}
    </Button>
  );
}
