import type { KubeObject } from '#lib/kube/index.ts';

export type Seen<T> = { object: KubeObject; shape: T };

/**
 * What was last seen of one kind, by `namespace/name`. A controller's own writes are put in at once, so that it never acts twice on
 * one observation (the real ones keep *expectations* for this); a watch that lags behind them is passed over.
 */
export class Informer<T> {
  readonly #seen = new Map<string, Seen<T>>();
  readonly #gone = new Map<string, number>();
  readonly #parse: (object: KubeObject) => T;

  constructor(parse: (object: KubeObject) => T) {
    this.#parse = parse;
  }

  get(key: string): Seen<T> | undefined {
    return this.#seen.get(key);
  }

  /** Sorted by key, so that what follows from it repeats. */
  all(): Seen<T>[] {
    return [...this.#seen.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, seen]) => seen);
  }

  shapes(): T[] {
    return this.all().map(({ shape }) => shape);
  }

  /** True when it is news. */
  observe(object: KubeObject): boolean {
    const key = keyOf(object);
    const revision = Number(object.metadata.resourceVersion ?? 0);
    const known = Number(this.#seen.get(key)?.object.metadata.resourceVersion ?? this.#gone.get(key) ?? -1);
    if (revision <= known) return false;
    this.#gone.delete(key);
    this.#seen.set(key, { object, shape: this.#parse(object) });
    return true;
  }

  /** Also true of one that was there: names are not used twice. */
  isKnown(key: string): boolean {
    return this.#seen.has(key) || this.#gone.has(key);
  }

  /** Our own deletion, at once; its event comes later. */
  forgetOwn(object: KubeObject): boolean {
    const key = keyOf(object);
    const known = this.#seen.get(key);
    if (!known || known.object.metadata.uid !== object.metadata.uid) return false;
    this.#gone.set(key, Number(known.object.metadata.resourceVersion ?? 0));
    return this.#seen.delete(key);
  }

  /** `object` is its last version, whose resourceVersion is that of the deletion. */
  forget(object: KubeObject): boolean {
    const key = keyOf(object);
    const known = this.#seen.get(key);
    const revision = Number(object.metadata.resourceVersion ?? 0);
    if (!known || Number(known.object.metadata.resourceVersion ?? 0) > revision) return false;
    this.#gone.set(key, revision);
    return this.#seen.delete(key);
  }

  /** After a new start of the watch: what is no longer listed is gone. Returns what changed. */
  replaceAll(objects: readonly KubeObject[]): KubeObject[] {
    const listed = new Set(objects.map(keyOf));
    const changed = objects.filter((object) => this.observe(object));
    for (const [key, { object }] of this.#seen) {
      if (listed.has(key)) continue;
      this.#seen.delete(key);
      changed.push(object);
    }
    return changed;
  }
}

export function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}
