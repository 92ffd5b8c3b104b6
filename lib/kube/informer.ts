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
  /** Called with all objects, which replace those known before. The array is emptied afterwards. */
  synced(objects: KubeObject[]): void;
  changed(object: KubeObject): void;
  deleted(object: KubeObject): void;
  /** Called when the kind is not served or may not be read. Objects known before are forgotten. */
  absent(because: KubeError): void;
  /** Called when the API server does not answer; the next try comes after `retryInMs`. */
  interrupted(because: KubeError, retryInMs: number): void;
  /** Called with every event. */
  heard?(): void;
};

const refusedRetryMs = 60_000;

/**
 * Follows one kind until the signal aborts. Rejects with `unauthorized`, `credentials` or `invalid`, which waiting cannot fix. With a clock, a missing right
 * is tried again each minute, as it may be granted later; without one `forbidden` rejects too.
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
          // Loops and generators keep their last value, which for a quiet kind would be all of its objects.
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

export type ReadObject<T> = { object: KubeObject; shape: T };

/** A change of one object. `before` null: it is new; `after` null: it is gone. */
type InformerChange = (after: KubeObject | null, before: KubeObject | null) => void;

export type InformerEvents = {
  /** Called for each change; for those of a new list once all of the list is known. */
  changed: InformerChange;
  /** Called when the kind was listed or cannot be read for now. May be called again. */
  listed(): void;
  interrupted?(because: KubeError): void;
};

/**
 * The last seen objects of one kind, by `namespace/name`. A controller puts its own writes in at once, so that it does not act twice on one observation
 * (Kubernetes' controllers keep *expectations* for this); older events of the watch are ignored.
 */
export class Informer<T, Index extends string = never> {
  readonly #seen = new Map<string, ReadObject<T>>();
  readonly #gone = new Map<string, number>();
  readonly #parse: (object: KubeObject) => T;
  /** Sorted. Kept so, because sorting at each reading took most of a simulation's time. */
  readonly #keys: string[] = [];
  readonly #indexes: readonly {
    index: Index;
    groupsOf: (shape: T) => readonly string[];
    /** Keys by group, sorted. */
    groups: Map<string, string[]>;
  }[];

  /** `indexes`: the groups of an object for `inGroup`, like *Indexers* of client-go: pods by their node, and by their owners. */
  constructor(parse: (object: KubeObject) => T, indexes: Record<Index, (shape: T) => readonly string[]>) {
    this.#parse = parse;
    const named = Object.entries(indexes) as [Index, (shape: T) => readonly string[]][];
    this.#indexes = named.map(([index, groupsOf]) => ({ index, groupsOf, groups: new Map() }));
  }

  get(key: string): ReadObject<T> | undefined {
    return this.#seen.get(key);
  }

  /** All objects, sorted by key, so that simulations are repeatable. */
  all(): ReadObject<T>[] {
    return this.#keys.flatMap((key) => this.#seen.get(key) ?? []);
  }

  /** Those of one group of an index, sorted by key. */
  inGroup(index: Index, group: string): ReadObject<T>[] {
    const keys = this.#indexes.find((one) => one.index === index)?.groups.get(group) ?? [];
    return keys.flatMap((key) => this.#seen.get(key) ?? []);
  }

  shapes(): T[] {
    return this.all().map(({ shape }) => shape);
  }

  /** Adds an object; true if it is newer than the known one. `listed`: it comes from a new list, which counts even if older, as after a restore of etcd. */
  observe(object: KubeObject, { listed = false } = {}): boolean {
    const key = keyOf(object);
    const known = this.#seen.get(key)?.object;
    const isAnother = listed && known !== undefined && known.metadata.uid !== object.metadata.uid;
    if (!isAnother && revisionOf(object) <= (known ? revisionOf(known) : (this.#gone.get(key) ?? -1))) return false;
    this.#gone.delete(key);
    const shape = this.#parse(object);
    if (known) this.#ungroup(key);
    else insert(this.#keys, key);
    this.#seen.set(key, { object, shape });
    for (const { groupsOf, groups } of this.#indexes) {
      for (const group of groupsOf(shape)) {
        const keys = groups.get(group);
        if (keys) insert(keys, key);
        else groups.set(group, [key]);
      }
    }
    return true;
  }

  #ungroup(key: string): void {
    const known = this.#seen.get(key);
    if (!known) return;
    for (const { groupsOf, groups } of this.#indexes) {
      for (const group of groupsOf(known.shape)) {
        const keys = groups.get(group) ?? [];
        take(keys, key);
        if (keys.length === 0) groups.delete(group);
      }
    }
  }

  /** Removes an object; true if it was known. */
  #drop(key: string): boolean {
    this.#ungroup(key);
    take(this.#keys, key);
    return this.#seen.delete(key);
  }

  /** Whether an object of this name exists or existed: names are not used twice. */
  isKnown(key: string): boolean {
    return this.#seen.has(key) || this.#gone.has(key);
  }

  /** Removes an object that this controller has deleted, before the event comes. */
  forgetOwn(object: KubeObject): boolean {
    const key = keyOf(object);
    const known = this.#seen.get(key);
    if (!known || known.object.metadata.uid !== object.metadata.uid) return false;
    this.#gone.set(key, revisionOf(known.object));
    return this.#drop(key);
  }

  /** Removes a deleted object. `object`: its last version, with the resourceVersion of the deletion. */
  forget(object: KubeObject): boolean {
    const key = keyOf(object);
    const known = this.#seen.get(key);
    if (!known || revisionOf(known.object) > revisionOf(object)) return false;
    this.#gone.set(key, revisionOf(object));
    return this.#drop(key);
  }

  /** Follows the kind and keeps these objects up to date. Ends and rejects as `followKind`. */
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

/** `NAMESPACE/NAME`, the key of an object in an informer; `/NAME` without a namespace. */
export function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}

/** The index of the first key that is not less than this one. */
function indexFor(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Into sorted keys, unless it is there. */
function insert(keys: string[], key: string): void {
  const last = keys.at(-1);
  // A server lists in this order.
  if (last === undefined || last < key) keys.push(key);
  else {
    const index = indexFor(keys, key);
    if (keys[index] !== key) keys.splice(index, 0, key);
  }
}

/** From sorted keys, if it is there. */
function take(keys: string[], key: string): void {
  const index = indexFor(keys, key);
  if (keys[index] === key) keys.splice(index, 1);
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion ?? 0);
}
