import { type Clock, isKubeError } from '#lib/kube/index.ts';

export type WorkQueueOptions = {
  clock: Clock;
  signal: AbortSignal;
  /** Milliseconds from a reason to look until the turn. All changes in this time are handled in one turn. */
  delayMs: number;
  turn: (key: string) => Promise<void>;
};

/** Somebody else wrote first: the next turn decides by what is there then. */
const overtaken = ['conflict', 'not-found', 'already-exists'] as const;
/** The API is away for a while. Tests make it so. */
const passing = ['unreachable', 'timeout', 'server', 'too-many-requests'] as const;
const passingMs = 1_000;

/**
 * Takes turns one by one, in the order in which they became due, so that a sandbox repeats itself. A turn that an API error interrupts is taken
 * again. Any other error is a bug of ours, and ends the simulation.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #due: string[] = [];
  #wake: (() => void) | null = null;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Asks for a turn. Asking again before the turn came changes nothing. */
  ask(key: string, delayMs: number = this.#options.delayMs): void {
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    this.#options.clock.sleep(delayMs, this.#options.signal).then(
      () => {
        this.#due.push(key);
        this.#wake?.();
      },
      () => undefined,
    );
  }

  async run(): Promise<void> {
    const { signal, turn } = this.#options;
    const onAbort = () => this.#wake?.();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      while (!signal.aborted) {
        const key = this.#due.shift();
        if (key === undefined) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = null;
          continue;
        }
        this.#waiting.delete(key);
        try {
          await turn(key);
        } catch (error) {
          if (signal.aborted) return;
          if (isKubeError(error, ...overtaken)) this.ask(key);
          else if (isKubeError(error, ...passing)) this.ask(key, passingMs);
          else throw error;
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}
