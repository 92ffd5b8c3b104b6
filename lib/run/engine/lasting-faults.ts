import type { Fault } from '../conditions/rollout.ts';

/** A fault that has lasted, in seconds. */
export type LastingFault = Fault & { seconds: number };

const lastsAfterMs = 60_000;
/** A container runs for a moment between two attempts. A fault that is not seen for this long is over. */
const forgottenAfterMs = 90_000;
const leastAttempts = 2;

/**
 * Separates faults that waiting does not fix from passing ones. A fault lasts if it was seen for a minute and, if attempts are counted, was tried at
 * least twice and once more while we looked. A container that crashes only while the API server is away is no fault. One instance for each wait.
 */
export class LastingFaults {
  private readonly seen = new Map<string, { since: number; lastAt: number; attempts: number | null }>();

  /** `faults`: found in this look. `now`: monotonic, in ms. */
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
