'use client';

import { useCallback, useState, useTransition } from 'react';
import { useActions } from '#components/actions.tsx';
import { unreachableAsFailure } from '#components/ui/call/unreachable-as-failure.ts';
import type { Failure, RunRequest } from '#lib/console/host.ts';

export type RunRequests = {
  /** Makes a request; resolves with whether it was taken. Does nothing while another one is under way, so that a double click counts once. */
  ask(request: Omit<RunRequest, 'revision'>): Promise<boolean>;
  /** The request that is under way; null if none. */
  asking: RunRequest['action'] | null;
  /** The last request that failed, with the reason. */
  refused: { action: RunRequest['action']; failure: Failure } | null;
  /** The request that waits for the cluster to answer. */
  queued: RunRequest['action'] | null;
  forget(): void;
};

/** Requests of a run's page. `revision`: the one that the page shows when the button is pressed. */
export function useRunRequest(cluster: string, run: string, revision: number): RunRequests {
  const { askRun } = useActions();
  const [asking, setAsking] = useState<RunRequest['action'] | null>(null);
  const [refused, setRefused] = useState<RunRequests['refused']>(null);
  const [queued, setQueued] = useState<RunRequests['queued']>(null);
  const [, startTransition] = useTransition();
  const ask = ({ action, acknowledge, confirmation }: Omit<RunRequest, 'revision'>) => {
    if (asking !== null) return Promise.resolve(false);
    const form = new FormData();
    const request = { cluster, run, action, revision: String(revision), acknowledge, confirmation };
    for (const [name, value] of Object.entries(request)) if (value !== undefined) form.set(name, value);
    setAsking(action);
    setRefused(null);
    setQueued(null);
    return new Promise<boolean>((resolve) => {
      startTransition(async () => {
        const answer = await unreachableAsFailure(askRun)(null, form);
        setAsking(null);
        if (!answer.ok) setRefused({ action, failure: answer });
        else if (answer.value === 'once-it-answers') setQueued(action);
        resolve(answer.ok);
      });
    });
  };
  const forget = useCallback(() => {
    setRefused(null);
    setQueued(null);
  }, []);
  return { ask, asking, refused, queued, forget };
}
