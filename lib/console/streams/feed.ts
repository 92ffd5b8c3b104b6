import { EventRing } from './ring.ts';
import { encodeEvent } from './sse.ts';

type Wire = { event: string; data: unknown };

/**
 * One stream of events with the view that they add up to, shared by all followers. Followers pull: each has only a position in the ring, so a slow
 * one costs nothing, and one that has fallen out of the ring gets a new snapshot.
 */
export class Feed<View extends { revision: number }, Event extends Wire> {
  private readonly fold: (view: View, event: Event, id: number) => View;
  private readonly ring: EventRing;
  private readonly waiting = new Set<() => void>();
  private last: number;
  private current: View | null = null;
  private encoded: { revision: number; text: string } | null = null;
  private over: { code: string; message: string } | null = null;
  private says: Event | null = null;

  /** `openedMs`: wall clock; makes revisions grow across restarts (wire.ts). */
  constructor(
    fold: (view: View, event: Event, id: number) => View,
    openedMs: number,
    limits = { events: 20_000, characters: 4_000_000 },
  ) {
    this.fold = fold;
    this.last = openedMs * 1_000;
    this.ring = new EventRing(this.last, limits);
  }

  get view(): View | null {
    return this.current;
  }

  get revision(): number {
    return this.last;
  }

  /** Why there is no view yet, for those who wait for it. */
  get trouble(): Event | null {
    return this.says;
  }

  get ended(): { code: string; message: string } | null {
    return this.over;
  }

  /** Adds an event to the stream and to the view. Ignored before the first snapshot. */
  publish(make: (id: number) => Event): void {
    if (this.over || !this.current) return;
    const id = ++this.last;
    const event = make(id);
    this.current = this.fold(this.current, event, id);
    this.ring.push(id, encodeEvent(event, id));
    this.wake();
  }

  /** Sets a whole view, which followers get as an event. */
  snapshot(make: (id: number) => View): void {
    if (this.over) return;
    const id = ++this.last;
    this.current = make(id);
    this.says = null;
    this.ring.push(id, this.snapshotText());
    this.wake();
  }

  /** Says why there is no view yet. */
  complain(event: Event): void {
    this.says = event;
    this.wake();
  }

  end(code: string, message: string): void {
    this.over ??= { code, message };
    this.wake();
  }

  after(id: number, characters: number): { id: number; text: string }[] | null {
    return this.ring.after(id, characters);
  }

  /** The view as an event, encoded once for all who ask at the same revision. Empty without a view. */
  snapshotText(): string {
    if (!this.current) return '';
    if (this.encoded?.revision !== this.last)
      this.encoded = {
        revision: this.last,
        text: encodeEvent({ event: 'snapshot', data: { ...this.current, revision: this.last } }, this.last),
      };
    return this.encoded.text;
  }

  /** Resolves at the next event, or after `ms`. */
  change(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }

  private wake(): void {
    for (const wake of [...this.waiting]) wake();
  }
}
