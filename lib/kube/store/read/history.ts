import type { KubeObject } from '../../object.ts';

/** One write, as watches see it. `before` is null for the first version of an object. Objects here are never changed in place. */
export type Change = {
  readonly revision: number;
  readonly kindKey: string;
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: KubeObject;
  readonly before: KubeObject | null;
};

/**
 * The revisions of all writes, as etcd numbers them. Past changes are not kept: open watches get each change as it happens, and a watch that starts, or
 * cannot resume, lists first.
 */
export class History {
  #revision: number;
  readonly #listeners = new Set<(change: Change) => void>();

  constructor(revision: number) {
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  next(): number {
    this.#revision += 1;
    return this.#revision;
  }

  record(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }

  /** After a restore, revisions continue after the higher of both. */
  restart(revision: number): void {
    this.#revision = Math.max(this.#revision, revision) + 1;
  }

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
