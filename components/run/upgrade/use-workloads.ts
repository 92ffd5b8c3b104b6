'use client';

import { useEffect, useState } from 'react';
import { answerAt } from '#components/ui/call/answer-at.ts';
import type { WorkloadVersions } from '#lib/status/index.ts';

/** How often a page that is in sight asks while the run moves: a dozen objects, not the cluster. */
const everyMs = 4000;

export type WorkloadsRead = { read: WorkloadVersions | null; failed: string | null };

/** Calico's workloads, read repeatedly while `pace` is moving and once after each change of `state`. If a read fails, the last result stays. */
export function useWorkloads(
  cluster: string,
  pace: 'moving' | 'standing',
  state: string,
  /** As the server read them with the page; null: the cluster did not answer in time. */
  first: WorkloadVersions | null,
): WorkloadsRead {
  const [known, setKnown] = useState<WorkloadsRead>({ read: first, failed: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state of the run is what makes the old reading old
  useEffect(() => {
    const stop = new AbortController();
    let isAsking = false;
    const ask = async () => {
      if (isAsking || document.visibilityState !== 'visible') return;
      isAsking = true;
      const answer = await workloadsOf(cluster, stop.signal);
      isAsking = false;
      if (stop.signal.aborted) return;
      setKnown((before) =>
        typeof answer === 'string' ? { ...before, failed: answer } : { read: answer, failed: null },
      );
    };
    void ask();
    const timer = pace === 'moving' ? setInterval(() => void ask(), everyMs) : undefined;
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [cluster, pace, state]);
  return known;
}

/** The workloads, or why they cannot be read. */
const workloadsOf = (cluster: string, signal: AbortSignal) =>
  answerAt(`/api/clusters/${encodeURIComponent(cluster)}/workloads`, {
    is: isWorkloads,
    what: 'the workloads',
    signal,
  });

function isWorkloads(value: unknown): value is WorkloadVersions {
  return typeof value === 'object' && value !== null && 'workloads' in value && Array.isArray(value.workloads);
}
