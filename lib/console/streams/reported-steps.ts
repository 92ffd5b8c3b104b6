import type { RunEvent } from '#lib/run/index.ts';

type Step = Extract<RunEvent, { event: 'operation' }>['data'];

/** How far each step of a run was published, so that what the journal and the executor both report is published once. */
export class ReportedSteps {
  private readonly reached = new Map<string, number>();

  /** Whether a step is further than was published. A wait is always news: the executor reports nothing twice. */
  isNews({ direction, seq, state }: Step): boolean {
    const key = `${direction}/${seq}`;
    const rank = ranks[state];
    if (rank <= (this.reached.get(key) ?? 0)) return state === 'waiting' && rank === this.reached.get(key);
    this.reached.set(key, rank);
    return true;
  }

  /** Forgets everything, before the run is published from its start again. */
  clear(): void {
    this.reached.clear();
  }
}

const ranks = { begun: 1, acted: 2, waiting: 3, failed: 4, finished: 5 } as const;
