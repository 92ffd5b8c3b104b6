import type { Fault } from '../conditions/rollout.ts';

/** A fault that has lasted, in seconds. */
export type LastingFault = Fault & { seconds: number };

const lastsAfterMs = 60_000;
/** Between two attempts a container runs for a moment. Not seen for so long, it has come up meanwhile. */
const forgottenAfterMs = 90_000;
const leastAttempts = 2;

/**
 * Tells a fault that waiting does not fix from one that is passing: seen for a minute, and where attempts are counted, tried at least twice and
 * once more while we looked. What crashed while the API server was away and comes up with it is none. One wait has one of these.
 */
export class LastingFaults {
  private readonly seen = new Map<string, { since: number; lastAt: number; attempts: number | null }>();

  /** `faults`: what this look found. `now`: monotonic, ms. */
  among(faults: readonly Fault[], now: number): LastingFault | null {
    for (const [key, { lastAt }] of this.seen) if (now - lastAt > forgottenAfterMs) this.seen.delete(key);
    const lasting = faults.flatMap((fault) => {
      const first = this.seen.get(fault.key) ?? { since: now, lastAt: now, attempts: fault.attempts };
      this.seen.set(fault.key, { ...first, lastAt: now });
      const repeated =
        fault.attempts === null || (fault.attempts >= leastAttempts && fault.attempts > (first.attempts ?? 0));
      return repeated && now - first.since >= lastsAfterMs ? [{ ...fault, seconds: (now - first.since) / 1000 }] : [];
    });
    return lasting[0] ?? null;
  }
}
