import type { Clock } from '#lib/kube/index.ts';

/**
 * Something is held back until it is let go, or for a time at most: `over` is told of that. The time of one hold is nothing to the next, and after its time
 * none begins before `end`: else what is asked for again and again would hold for ever.
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

  /** Its time is not made longer where it is on. */
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
