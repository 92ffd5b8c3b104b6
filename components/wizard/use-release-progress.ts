'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { ReleaseProgress } from '#lib/console/host.ts';
import type { StepPlace } from '#lib/console/wizard/index.ts';

const everyMs = 500;

/** Follows the download of release files, and refreshes the page when it has ended. */
export function useReleaseProgress({ cluster, draft }: StepPlace, known: ReleaseProgress): ReleaseProgress {
  const router = useRouter();
  const [seen, setSeen] = useState<{ from: ReleaseProgress; progress: ReleaseProgress } | null>(null);
  const refreshing = useRef(false);
  const isOpening = known.kind === 'opening';

  useEffect(() => {
    if (!isOpening) return;
    refreshing.current = false;
    const asking = new AbortController();
    const timer = setInterval(async () => {
      const progress = await ask(cluster, draft, asking.signal);
      if (progress === null || asking.signal.aborted || refreshing.current) return;
      if (progress.kind === 'opening') return setSeen({ from: known, progress });
      refreshing.current = true;
      router.refresh();
    }, everyMs);
    return () => {
      asking.abort();
      clearInterval(timer);
    };
  }, [isOpening, cluster, draft, known, router]);

  // A newer page's progress replaces that seen with an older page.
  return seen !== null && seen.from === known ? seen.progress : known;
}

const kinds: ReadonlySet<unknown> = new Set([
  'not-asked',
  'opening',
  'open',
  'failed',
] satisfies ReleaseProgress['kind'][]);

/** Only checks that it is our server's answer, because both sides are of one build. */
function isReleaseProgress(value: unknown): value is ReleaseProgress {
  return typeof value === 'object' && value !== null && 'wanted' in value && 'kind' in value && kinds.has(value.kind);
}

/** Null without an answer; then the next poll tries again. */
async function ask(cluster: string, draft: string, signal: AbortSignal): Promise<ReleaseProgress | null> {
  const path = `/api/clusters/${encodeURIComponent(cluster)}/drafts/${encodeURIComponent(draft)}/release`;
  try {
    const response = await fetch(path, { signal, cache: 'no-store' });
    const body: unknown = response.ok ? await response.json() : null;
    return isReleaseProgress(body) ? body : null;
  } catch {
    return null;
  }
}
