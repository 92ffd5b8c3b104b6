'use client';

import { useCallback, useState, useTransition } from 'react';
import { useActions } from '#components/actions.tsx';
import { orGone } from '#components/ui/call/or-gone.ts';
import type { Failure, RunRequest } from '#lib/console/host.ts';

export type RunRequests = {
  /** Asks, and resolves to whether it was taken. Does nothing while something is asked already: a double click is one. */
  ask(request: Omit<RunRequest, 'revision'>): Promise<boolean>;
  /** What is being asked; null while nothing is. */
  asking: RunRequest['action'] | null;
  /** Why the last thing that was asked did not happen. */
  refused: { action: RunRequest['action']; failure: Failure } | null;
  /** What was asked while the cluster was away, and waits for it. */
  kept: RunRequest['action'] | null;
  forget(): void;
};

/** The buttons of a run's page; `revision` is the one that is shown while the button is pressed. */
export function useRunRequest(cluster: string, run: string, revision: number): RunRequests {
  const { askRun } = useActions();
  const [asking, setAsking] = useState<RunRequest['action'] | null>(null);
  const [refused, setRefused] = useState<RunRequests['refused']>(null);
  const [kept, setKept] = useState<RunRequests['kept']>(null);
  const [, startTransition] = useTransition();
  const ask = ({ action, acknowledge, confirmation }: Omit<RunRequest, 'revision'>) => {
    if (asking !== null) return Promise.resolve(false);
    const form = new FormData();
    const given = { cluster, run, action, revision: String(revision), acknowledge, confirmation };
    for (const [name, value] of Object.entries(given)) if (value !== undefined) form.set(name, value);
    setAsking(action);
    setRefused(null);
    setKept(null);
    return new Promise<boolean>((resolve) => {
      startTransition(async () => {
        const answer = await orGone(askRun)(null, form);
        setAsking(null);
        if (!answer.ok) setRefused({ action, failure: answer });
        else if (answer.value === 'once-it-answers') setKept(action);
        resolve(answer.ok);
      });
    });
  };
  const forget = useCallback(() => {
    setRefused(null);
    setKept(null);
  }, []);
  return { ask, asking, refused, kept, forget };
}
