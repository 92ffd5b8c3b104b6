'use client';

import { createContext, type ReactNode, useContext, useMemo, useState, useTransition } from 'react';
import { callAction } from '#components/ui/call/failure-of-call.ts';
import { actionFailure } from '#components/wizard/action-failure.ts';
import type { Failure, HostAnswer } from '#lib/console/host.ts';

/** Reading the cluster again. `running`: what it was requested for, a finding's id or `all`. */
export type Recheck = { running: string | null; failure: Failure | null; check: ((what: string) => void) | null };

const nothing: Recheck = { running: null, failure: null, check: null };
const Context = createContext<Recheck>(nothing);

export function useRecheck(): Recheck {
  return useContext(Context);
}

/** Freezes its content while the cluster is read, so that nobody continues with outdated findings. */
export function RecheckProvider({ again, children }: { again: () => Promise<HostAnswer<null>>; children: ReactNode }) {
  const [running, start] = useTransition();
  const [what, setWhat] = useState('all');
  const [failure, setFailure] = useState<Failure | null>(null);
  const value = useMemo<Recheck>(
    () => ({
      running: running ? what : null,
      failure,
      check: (asked) => {
        setWhat(asked);
        setFailure(null);
        start(async () => {
          const answer = await callAction(again, actionFailure);
          if (!answer.ok) setFailure(answer);
        });
      },
    }),
    [running, what, failure, again],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}
