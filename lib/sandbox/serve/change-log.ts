import type { Change, Store } from '#lib/kube/index.ts';

/** Enough for a client that was away for some minutes of a roll-out; the oldest half goes when there are more. */
const mostKept = 10_000;

/** The newest changes of a store: a watch goes on from any of them. */
export class ChangeLog {
  #changes: Change[] = [];
  /** Everything after this revision is kept. */
  #since: number;
  readonly stop: () => void;

  constructor(store: Pick<Store, 'onChange' | 'snapshot'>) {
    this.#since = store.snapshot().revision;
    this.stop = store.onChange((change) => {
      this.#changes.push(change);
      if (this.#changes.length <= mostKept) return;
      const forgotten = this.#changes.splice(0, mostKept / 2);
      this.#since = forgotten.at(-1)?.revision ?? this.#since;
    });
  }

  get revision(): number {
    return this.#changes.at(-1)?.revision ?? this.#since;
  }

  /** What came after a revision, in order; null when not all of it is kept any more. */
  after(revision: number): readonly Change[] | null {
    return revision < this.#since ? null : this.#changes.filter((change) => change.revision > revision);
  }
}
