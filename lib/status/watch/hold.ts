import type { Clock } from '#lib/kube/index.ts';

/**
 * Holds something back until `end`, or for at most `mostMs`; then it calls `over`. After such a time-out `begin` has no effect until `end` is called.
 * Otherwise a caller that begins again and again would hold forever. Each new hold lasts up to `mostMs`, whatever earlier ones took.
 */
export class Hold {
  private readonly mostMs: number;
  private readonly pace: Clock;
  private readonly signal: AbortSignal;
  private readonly over: () => void;
  private current: object | null = null;
  private isOver = false;

  constructor(mostMs: number, pace: Clock, signal: AbortSignal, over: () => void) {
    this.mostMs = mostMs;
    this.pace = pace;
    this.signal = signal;
    this.over = over;
  }

  get isOn(): boolean {
    return this.current !== null;
  }

  /** Starts a hold; does not extend one that has begun. */
  begin(): void {
    if (this.current || this.isOver) return;
    const hold = {};
    this.current = hold;
    this.pace
      .sleep(this.mostMs, this.signal)
      .catch(() => {})
      .then(() => {
        if (this.current !== hold) return;
        this.current = null;
        this.isOver = true;
        this.over();
      });
  }

  end(): void {
    this.current = null;
    this.isOver = false;
  }
}
