import type { Resource } from '#lib/spec/index.ts';
import type { Clock } from './clock.ts';
import { isKubeError, type KubeError } from './error.ts';
import type { KubeObject } from './object.ts';
import type { Kube } from './port.ts';

export type FollowedKind = {
  resource: Resource;
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
};

export type KindSink = {
  /** The whole set, which replaces what was known. The list is emptied afterwards. */
  synced(objects: KubeObject[]): void;
  changed(object: KubeObject): void;
  deleted(object: KubeObject): void;
  /** It is not to be had: the kind is not served, or these credentials may not read it. What was known is forgotten. */
  absent(because: KubeError): void;
  /** The API server does not answer; tried again after so many milliseconds. */
  interrupted(because: KubeError, retryInMs: number): void;
  /** Anything at all came. */
  heard?(): void;
};

const refusedRetryMs = 60_000;

/**
 * Follows one kind until aborted: the only place that reads a watch of a whole kind. Rejects where waiting cannot help (`unauthorized`, `credentials`,
 * `invalid`). A right that is missing may be given later: with a clock it is tried again each minute, without one `forbidden` rejects too.
 */
export async function followKind(
  kube: Kube,
  { resource, ...scope }: FollowedKind,
  sink: KindSink,
  signal: AbortSignal,
  pace: Clock | null,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of kube.watch(resource, { ...scope, signal })) {
        if (event.type === 'interrupted') {
          if (isKubeError(event.because, 'not-served')) sink.absent(event.because);
          else sink.interrupted(event.because, event.retryInMs);
          continue;
        }
        sink.heard?.();
        if (event.type === 'synced') {
          sink.synced(event.objects);
          // Loops and generators keep what they had last: of a kind where nothing happens, every object for as long as it is followed.
          event.objects.length = 0;
        }
        if (event.type === 'deleted') sink.deleted(event.object);
        if (event.type === 'added' || event.type === 'modified') sink.changed(event.object);
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (pace === null || !isKubeError(error, 'forbidden')) throw error;
      sink.absent(error);
      await pace.sleep(refusedRetryMs, signal).catch(() => {});
    }
  }
}

export type Seen<T> = { object: KubeObject; shape: T };

/** `null` before: it is new. `null` after: it is gone. */
export type InformerChange = (after: KubeObject | null, before: KubeObject | null) => void;

export type InformerEvents = {
  /** Called for what a new list changed, too, once all of it is known. */
  changed: InformerChange;
  /** The kind was listed, or is not to be had for now. May be called again. */
  listed(): void;
  interrupted?(because: KubeError): void;
};

/**
 * What was last seen of one kind, by `namespace/name`. A controller's own writes are put in at once, so that it never acts twice on
 * one observation (the real ones keep *expectations* for this); a watch that lags behind them is passed over.
 */
export class Informer<T> {
  readonly #seen = new Map<string, Seen<T>>();
  readonly #gone = new Map<string, number>();
  readonly #parse: (object: KubeObject) => T;
  /** Keys of what was seen, sorted, and of what is gone since then; null: one came since. Sorting at each reading took most of a simulation's time. */
  #keys: readonly string[] | null = null;
  readonly #groupOf: (shape: T) => string;
  readonly #groups = new Map<string, Set<string>>();

  /** `groupOf`: what objects are looked for by, as an *Indexer* of client-go has it: pods by their node. */
  constructor(parse: (object: KubeObject) => T, groupOf: (shape: T) => string = () => '') {
    this.#parse = parse;
    this.#groupOf = groupOf;
  }

  get(key: string): Seen<T> | undefined {
    return this.#seen.get(key);
  }

  /** Sorted by key, so that what follows from it repeats. */
  all(): Seen<T>[] {
    this.#keys ??= [...this.#seen.keys()].sort();
    return this.#keys.flatMap((key) => this.#seen.get(key) ?? []);
  }

  /** Those of one group, sorted by key. */
  inGroup(group: string): Seen<T>[] {
    const keys = [...(this.#groups.get(group) ?? [])].sort();
    return keys.flatMap((key) => this.#seen.get(key) ?? []);
  }

  shapes(): T[] {
    return this.all().map(({ shape }) => shape);
  }

  /** True when it is news. `listed`: it stands in a new list, which may be older than what was known: of an etcd that was restored. */
  observe(object: KubeObject, { listed = false } = {}): boolean {
    const key = keyOf(object);
    const known = this.#seen.get(key)?.object;
    const isAnother = listed && known !== undefined && known.metadata.uid !== object.metadata.uid;
    if (!isAnother && revisionOf(object) <= (known ? revisionOf(known) : (this.#gone.get(key) ?? -1))) return false;
    this.#gone.delete(key);
    if (known) this.#drop(key);
    else this.#keys = null;
    const shape = this.#parse(object);
    this.#seen.set(key, { object, shape });
    const group = this.#groupOf(shape);
    const grouped = this.#groups.get(group);
    if (grouped) grouped.add(key);
    else this.#groups.set(group, new Set([key]));
    return true;
  }

  /** True where it was there. */
  #drop(key: string): boolean {
    const known = this.#seen.get(key);
    if (!known) return false;
    const group = this.#groupOf(known.shape);
    const grouped = this.#groups.get(group);
    grouped?.delete(key);
    if (grouped?.size === 0) this.#groups.delete(group);
    return this.#seen.delete(key);
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
    this.#gone.set(key, revisionOf(known.object));
    return this.#drop(key);
  }

  /** `object` is its last version, whose resourceVersion is that of the deletion. */
  forget(object: KubeObject): boolean {
    const key = keyOf(object);
    const known = this.#seen.get(key);
    if (!known || revisionOf(known.object) > revisionOf(object)) return false;
    this.#gone.set(key, revisionOf(object));
    return this.#drop(key);
  }

  /** Follows the kind into this; ends and rejects as `followKind` does. */
  follow(
    kube: Kube,
    kind: FollowedKind,
    { changed, listed, interrupted }: InformerEvents,
    signal: AbortSignal,
  ): Promise<void> {
    const known = (object: KubeObject) => this.#seen.get(keyOf(object))?.object ?? null;
    const sink: KindSink = {
      synced: (objects) => {
        const changes: Parameters<InformerChange>[] = [];
        for (const object of objects) {
          const before = known(object);
          if (this.observe(object, { listed: true })) changes.push([object, before]);
        }
        const there = new Set(objects.map(keyOf));
        for (const [key, { object }] of this.#seen)
          if (!there.has(key) && this.#drop(key)) changes.push([null, object]);
        for (const change of changes) changed(...change);
        listed();
      },
      changed: (object) => {
        const before = known(object);
        if (this.observe(object)) changed(object, before);
      },
      deleted: (object) => {
        const before = known(object);
        if (this.forget(object)) changed(null, before);
      },
      absent: () => listed(),
      interrupted: (because) => {
        interrupted?.(because);
        listed();
      },
    };
    return followKind(kube, kind, sink, signal, null);
  }
}

export function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion ?? 0);
}
