import type { Clock } from '../../clock.ts';
import type { KubeObject } from '../../object.ts';
import type { Change } from '../read/history.ts';

/** What the collector needs of the store; callable at any time. */
export type Collectable = {
  everything(): Iterable<KubeObject>;
  find(uid: string): KubeObject | null;
  remove(object: KubeObject, propagation: 'Background' | 'Foreground'): void;
  setFinalizers(object: KubeObject, finalizers: readonly string[]): void;
  setOwners(object: KubeObject, owners: KubeObject['metadata']['ownerReferences']): void;
  removeNamespace(namespace: KubeObject): void;
};

const delayMs = 10;

/**
 * Deletes dependents of deleted objects, and finishes foreground deletions, orphaning deletions and those of namespaces, like the garbage collector and the
 * namespace controller of kube-controller-manager. It runs shortly after a change, on the store's clock, and only for what has changed: loaded objects whose
 * owners never existed stay.
 * https://kubernetes.io/docs/concepts/architecture/garbage-collection/
 */
export class GarbageCollector {
  readonly #store: Collectable;
  readonly #clock: Clock;
  /** UIDs of owners that were deleted, or were absent when a dependent was created. */
  readonly #gone = new Set<string>();
  #running: Promise<void> | null = null;
  #again = false;

  constructor(store: Collectable, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  notice(change: Change): void {
    const { metadata } = change.object;
    const missing =
      change.type === 'added' ? (metadata.ownerReferences ?? []).filter(({ uid }) => !this.#store.find(uid)) : [];
    for (const { uid } of missing) this.#gone.add(uid);
    if (change.type === 'deleted' && metadata.uid) this.#gone.add(metadata.uid);
    if (change.type !== 'deleted' && missing.length === 0 && metadata.deletionTimestamp === undefined) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#clock.sleep(delayMs);
        this.#collect();
      }
    } finally {
      this.#running = null;
    }
  }

  #collect(): void {
    const all = [...this.#store.everything()];
    for (const object of all) {
      if (object.metadata.deletionTimestamp) this.#finish(object, all);
      if (object.metadata.ownerReferences?.some(({ uid }) => this.#gone.has(uid))) this.#dropIfOrphaned(object);
    }
  }

  #finish(owner: KubeObject, all: readonly KubeObject[]): void {
    const { uid, finalizers = [] } = owner.metadata;
    // Looked for only here: most deletions take no finalizer, and a rollout of many nodes has thousands.
    const dependentsOf = () =>
      all.filter(({ metadata }) => metadata.ownerReferences?.some((reference) => reference.uid === uid));
    if (finalizers.includes('orphan')) {
      for (const dependent of dependentsOf()) {
        this.#store.setOwners(
          dependent,
          dependent.metadata.ownerReferences?.filter((reference) => reference.uid !== uid),
        );
      }
      this.#store.setFinalizers(
        owner,
        finalizers.filter((finalizer) => finalizer !== 'orphan'),
      );
    } else if (finalizers.includes('foregroundDeletion')) {
      const dependents = dependentsOf();
      const blocking = dependents.filter((dependent) =>
        dependent.metadata.ownerReferences?.some((reference) => reference.uid === uid && reference.blockOwnerDeletion),
      );
      for (const dependent of dependents) {
        if (!dependent.metadata.deletionTimestamp && this.#isLastOwner(dependent, uid ?? ''))
          this.#store.remove(dependent, 'Foreground');
      }
      if (blocking.every((dependent) => !this.#store.find(dependent.metadata.uid ?? ''))) {
        this.#store.setFinalizers(
          owner,
          finalizers.filter((finalizer) => finalizer !== 'foregroundDeletion'),
        );
      }
    } else if (owner.kind === 'Namespace' && owner.apiVersion === 'v1') {
      const inside = all.filter((object) => object.metadata.namespace === owner.metadata.name);
      for (const object of inside) {
        if (!object.metadata.deletionTimestamp && this.#store.find(object.metadata.uid ?? ''))
          this.#store.remove(object, 'Background');
      }
      const isEmpty = inside.every((object) => !this.#store.find(object.metadata.uid ?? ''));
      if (isEmpty && finalizers.length === 0 && this.#store.find(uid ?? '')) this.#store.removeNamespace(owner);
    }
  }

  /** An owner in foreground deletion counts as deleted for dependents without another owner. */
  #isLastOwner(object: KubeObject, uid: string): boolean {
    return (object.metadata.ownerReferences ?? []).every(
      (reference) => reference.uid === uid || !this.#store.find(reference.uid),
    );
  }

  #dropIfOrphaned(object: KubeObject): void {
    const live = this.#store.find(object.metadata.uid ?? '');
    const owners = live?.metadata.ownerReferences ?? [];
    if (!live || owners.length === 0) return;
    const present = owners.filter(({ uid }) => !this.#gone.has(uid) || this.#store.find(uid));
    if (present.length === owners.length) return;
    if (present.length > 0) this.#store.setOwners(live, present);
    else if (!live.metadata.deletionTimestamp) this.#store.remove(live, 'Background');
  }
}
