import type { Progress } from './progress.ts';

/** ClusterIP, DNS and NodePort from a pod on every node need the preflight image; there is none yet, and that is said. */
export async function servicesAnswer(): Promise<Progress> {
  return {
    kind: 'unknown',
    because:
      'Whether services answer from every node was not measured: it needs the preflight image, which does not exist yet.',
    subjects: [],
  };
}
