'use client';

import { useEffect, useState } from 'react';
import type { WorkloadVersions } from '#lib/status/index.ts';

/** How often a page that is in sight asks while the run moves: a dozen objects, not the cluster. */
const everyMs = 4000;

export type WorkloadsRead = { read: WorkloadVersions | null; failed: string | null };

/** Calico's workloads while `pace` is moving, and once more in each other state of the run. What was read stays in sight when it cannot be read again. */
export function useWorkloads(cluster: string, pace: 'moving' | 'standing', state: string): WorkloadsRead {
  const [known, setKnown] = useState<WorkloadsRead>({ read: null, failed: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state of the run is what makes the old reading old
  useEffect(() => {
    const stop = new AbortController();
    let isAsking = false;
    const ask = async () => {
      if (isAsking || document.visibilityState !== 'visible') return;
      isAsking = true;
      const told = await workloadsOf(cluster, stop.signal);
      isAsking = false;
      if (stop.signal.aborted) return;
      setKnown((before) => (typeof told === 'string' ? { ...before, failed: told } : { read: told, failed: null }));
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
async function workloadsOf(cluster: string, signal: AbortSignal): Promise<WorkloadVersions | string> {
  try {
    const response = await fetch(`/api/clusters/${encodeURIComponent(cluster)}/workloads`, {
      signal,
      cache: 'no-store',
    });
    const told: unknown = await response.json();
    if (response.ok && isWorkloads(told)) return told;
    return hasMessage(told) ? told.message : 'The console answered something else than the workloads.';
  } catch {
    return 'The console does not answer.';
  }
}

/** Both sides are of one build: what is asked is whether this is our server's answer at all. */
function isWorkloads(told: unknown): told is WorkloadVersions {
  return typeof told === 'object' && told !== null && 'workloads' in told && Array.isArray(told.workloads);
}

function hasMessage(told: unknown): told is { message: string } {
  return typeof told === 'object' && told !== null && 'message' in told && typeof told.message === 'string';
}
