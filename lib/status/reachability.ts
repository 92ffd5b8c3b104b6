import { type Clock, isKubeError, type Kube, type KubeError } from '#lib/kube/index.ts';

/** `code`: why the API server refused the connection; absent if it does not answer. */
export type Stale = { since: string; message: string; code?: 'unauthorized' | 'credentials' | 'tls' };

const askEveryMs = 10_000;
const askAgainMs = 2_000;
const answerWithinMs = 8_000;
/** A watch counts as failing again only after its own pause and this time. */
const graceMs = 3_000;

/**
 * Whether the API server answers. A quiet watch looks the same as one whose server is gone, so the server is asked for its version every few seconds.
 * An answer alone does not end the stale state: while a watch waits to be opened again, the page may still show old data.
 */
export class Reachability {
  private readonly kube: Kube;
  private readonly pace: Clock;
  private readonly changed: (stale: Stale | null) => void;
  /** By watch: the time until which it may still be reconnecting, ms of `pace`. */
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

  /** Asks for the version until aborted, and passes each answer to `answered`: null if the server refused the question. */
  async ask(answered: (version: string | null) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        answered(await this.kube.version({ signal, timeoutMs: answerWithinMs }));
        this.foundAgain();
      } catch (error) {
        if (signal.aborted) return;
        if (!isKubeError(error)) throw error;
        // A refusal is an answer too. If the rights are missing for more than the version, the watches fail.
        if (isKubeError(error, 'forbidden', 'not-found', 'unsupported')) answered(null);
        else this.lost(error);
      }
      await this.pace.sleep(this.stale ? askAgainMs : askEveryMs, signal).catch(() => {});
    }
  }

  /** After an answer, a watch that has not failed again in its time counts as open. */
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
