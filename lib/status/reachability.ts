import { type Clock, isKubeError, type Kube, type KubeError } from '#lib/kube/index.ts';

/** `code`: why, where it did answer and refused us; absent where it does not answer. */
export type Stale = { since: string; message: string; code?: 'unauthorized' | 'credentials' | 'tls' };

const askEveryMs = 10_000;
const askAgainMs = 2_000;
const answerWithinMs = 8_000;
/** Added to a watch's own pause before it counts as trying again in vain. */
const graceMs = 3_000;

/**
 * Whether the API server answers. A watch that is quiet and one whose server is gone look the same from here, so that it is asked for its version from
 * time to time; and an answer alone does not make what is shown fresh while a watch still waits to be opened again.
 */
export class Reachability {
  private readonly kube: Kube;
  private readonly pace: Clock;
  private readonly changed: (stale: Stale | null) => void;
  /** By watch: until when it is not expected to have come back, ms of `pace`. */
  private readonly waiting = new Map<string, number>();
  private stale: Stale | null = null;

  constructor(kube: Kube, pace: Clock, changed: (stale: Stale | null) => void) {
    this.kube = kube;
    this.pace = pace;
    this.changed = changed;
  }

  get now(): Stale | null {
    return this.stale;
  }

  interrupted(watch: string, because: KubeError, retryInMs: number): void {
    this.waiting.set(watch, this.pace.monotonic() + retryInMs + graceMs);
    this.lost(because);
  }

  heard(watch: string): void {
    if (!this.waiting.delete(watch) || this.waiting.size > 0) return;
    this.found();
  }

  /** Asks until aborted. `version`: what it answers with. */
  async ask(answered: (version: string | null) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        answered(await this.kube.version({ signal, timeoutMs: answerWithinMs }));
        this.foundAgain();
      } catch (error) {
        if (signal.aborted) return;
        if (!isKubeError(error)) throw error;
        // A refusal is an answer; whether it matters, the watches will tell.
        if (isKubeError(error, 'forbidden', 'not-found', 'unsupported')) answered(null);
        else this.lost(error);
      }
      await this.pace.sleep(this.stale ? askAgainMs : askEveryMs, signal).catch(() => {});
    }
  }

  /** It answers: watches that have had their time to fail again and did not are open. */
  private foundAgain(): void {
    const now = this.pace.monotonic();
    for (const [watch, until] of this.waiting) if (until < now) this.waiting.delete(watch);
    if (this.waiting.size === 0) this.found();
  }

  private lost({ code, message }: KubeError): void {
    if (this.stale?.message === message) return;
    const since = this.stale?.since ?? new Date(this.pace.now()).toISOString();
    const isRefusal = code === 'unauthorized' || code === 'credentials' || code === 'tls';
    this.stale = { since, message, ...(isRefusal ? { code } : {}) };
    this.changed(this.stale);
  }

  private found(): void {
    if (!this.stale) return;
    this.stale = null;
    this.changed(null);
  }
}
