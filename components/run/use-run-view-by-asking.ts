'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import type { Connection, RunView } from '#lib/console/wire.ts';

/** Stands in until components/live follows the stream: the page is asked for again every two seconds. */
export function useRunView(_cluster: string, _run: string, initial: RunView) {
  const router = useRouter();
  const isMoving = initial.state.kind === 'running';
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => router.refresh(), 2_000);
    return () => clearInterval(timer);
  }, [isMoving, router]);
  const connection: Connection = { kind: 'live', since: 0 };
  return { view: initial, connection, pause: () => {}, resume: () => {} };
}
