import type { KubeObject } from '../object.ts';

/** One write, as watches see it. `before` is null for the first version of an object. Objects here are never changed in place. */
export type Change = {
  readonly revision: number;
  readonly kindKey: string;
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: KubeObject;
  readonly before: KubeObject | null;
};

const keptChanges = 10_000;

/**
 * The order of all writes, as etcd keeps it: a watch resumes from a revision as long as it was not compacted, else it is told
 * that its version is too old (410).
 */
export class History {
  #changes: Change[] = [];
  #revision: number;
  #compacted: number;
  readonly #listeners = new Set<(change: Change) => void>();

  constructor(revision: number) {
    this.#revision = revision;
    this.#compacted = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  next(): number {
    this.#revision += 1;
    return this.#revision;
  }

  record(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length > keptChanges * 2)
      this.compact(this.#changes.at(-keptChanges)?.revision ?? this.#revision);
    for (const listener of [...this.#listeners]) listener(change);
  }

  /** Changes after `revision`; null when some of them are gone. */
  since(revision: number): Change[] | null {
    if (revision < this.#compacted) return null;
    return this.#changes.filter((change) => change.revision > revision);
  }

  /** Forgets changes up to and including `revision`. */
  compact(revision: number = this.#revision): void {
    this.#compacted = Math.max(this.#compacted, revision);
    this.#changes = this.#changes.filter((change) => change.revision > this.#compacted);
  }

  /** After a restore nothing before it can be resumed. */
  restart(revision: number): void {
    this.#revision = Math.max(this.#revision + 1, revision);
    this.compact(this.#revision);
  }

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
