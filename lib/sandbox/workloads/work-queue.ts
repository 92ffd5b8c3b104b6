import { type Clock, isKubeError } from '#lib/kube/index.ts';

export type WorkQueueOptions = {
  clock: Clock;
  signal: AbortSignal;
  /** Between a reason to look at something and looking: what happens meanwhile is seen in one turn. */
  delayMs: number;
  turn: (key: string) => Promise<void>;
};

/** Somebody else wrote first: what there is now decides. */
const overtaken = ['conflict', 'not-found', 'already-exists'] as const;
/** The API is away for a while, as tests have it. */
const passing = ['unreachable', 'timeout', 'server', 'too-many-requests'] as const;
const passingMs = 1_000;

/**
 * One thing at a time, in the order in which it became due: what makes a sandbox repeat itself. A turn that could not be finished
 * is taken again; an error that no API gives ends the simulation, as it is a bug of ours.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #due: string[] = [];
  #wake: (() => void) | null = null;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Asks for a turn. Asking again before it came changes nothing. */
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
