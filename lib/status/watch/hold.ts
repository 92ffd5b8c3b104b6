import type { Clock } from '#lib/kube/index.ts';

/**
 * Holds something back until `end`, but for `mostMs` at most; then it calls `over`. After such a time-out `begin` does nothing until `end` was called:
 * otherwise a caller that begins again and again would hold for ever. Each hold has its full time.
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

  /** Does not extend a hold that is on. */
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
