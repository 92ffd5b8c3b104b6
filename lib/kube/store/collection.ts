import type { KubeObject } from '../object.ts';

/** The objects of one kind by key. Their order is made when it is asked for, and kept until something is written: lists of a big dump ask again and again. */
export class Collection {
  /** What was loaded, as long as it is all there is: in order, so that it is found without an index, which a big dump would take for nothing. */
  #loaded: KubeObject[] | null = [];
  readonly #objects = new Map<string, KubeObject>();
  #sorted: readonly KubeObject[] | null = null;

  get(key: string): KubeObject | undefined {
    if (this.#loaded === null) return this.#objects.get(key);
    const found = this.#loaded[firstFrom(this.#loaded, key)];
    return found && keyIn(found) === key ? found : undefined;
  }

  /** As `set`, for what is loaded before anybody asks. What a server lists comes in order. */
  load(object: KubeObject): void {
    const last = this.#loaded?.at(-1);
    if (this.#loaded && this.#sorted === null && (!last || isBeyond(object, last))) this.#loaded.push(object);
    else this.set(keyIn(object), object);
  }

  set(key: string, object: KubeObject): void {
    this.#index();
    this.#objects.set(key, object);
    this.#sorted = null;
  }

  delete(key: string): void {
    this.#index();
    this.#objects.delete(key);
    this.#sorted = null;
  }

  /** As they are now: it may be written to while these are gone through. */
  entries(): [string, KubeObject][] {
    this.#index();
    return [...this.#objects];
  }

  values(): Iterable<KubeObject> {
    return this.#loaded ?? this.#objects.values();
  }

  /** By key: namespace and name, as etcd keeps them. */
  sorted(): readonly KubeObject[] {
    // Without a comparator strings are compared by UTF-16 code units, as `<` does, and five times as fast.
    this.#sorted ??= this.#loaded ?? [...this.#objects.keys()].sort().flatMap((key) => this.#objects.get(key) ?? []);
    return this.#sorted;
  }

  /** Those of one namespace, in the same order. A dump's pods are asked for many times, most often for those of kube-system. */
  sortedIn(namespace: string): readonly KubeObject[] {
    const all = this.sorted();
    return all.slice(firstFrom(all, `${namespace}/`), firstFrom(all, `${namespace}0`));
  }

  #index(): void {
    for (const object of this.#loaded ?? []) this.#objects.set(keyIn(object), object);
    this.#loaded = null;
  }
}

export function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

function keyIn({ metadata: { namespace, name } }: KubeObject): string {
  return keyOf(namespace, name ?? '');
}

/** Whether the key of one is beyond the other's. In one namespace the names say it, without the two keys. */
function isBeyond(one: KubeObject, other: KubeObject): boolean {
  if (one.metadata.namespace !== other.metadata.namespace) return keyIn(one) > keyIn(other);
  return (one.metadata.name ?? '') > (other.metadata.name ?? '');
}

/** Where the keys at or beyond this one begin. `0` is the character after `/`: of all keys with a namespace, none lies between the two. */
function firstFrom(sorted: readonly KubeObject[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle];
    if (at && keyIn(at) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
