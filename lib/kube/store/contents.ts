import { randomUUID } from 'node:crypto';
import { parseApiVersion, type Resource } from '#lib/spec/index.ts';
import type { Clock } from '../clock.ts';
import { KubeError } from '../error.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import { objectTime } from '../object-time.ts';
import { Collection, keyOf } from './collection.ts';
import { copy, frozen } from './json.ts';
import { establish, givenKind, type Kind, KindRegistry, kindForPeople, kindKeyOf, kindOfDefinition } from './kinds.ts';
import { type Change, History } from './read/history.ts';
import type { WatchSignal } from './read/watch.ts';
import { builtinKinds } from './schema/builtin-definitions.ts';
import { builtinSchema } from './schema/builtin-schema.ts';
import { schemaOfDefinition } from './schema/definition-schema.ts';
import { type KindSchema, schemaless } from './schema/kind-schema.ts';
import { countsGenerations } from './write/strategy.ts';

/** Everything a store holds, as plain data. */
export type Snapshot = { revision: number; objects: KubeObject[]; kinds: Resource[] };

export type ObjectLocation = { kind: Kind; key: string };

/** Namespaces of every cluster; they exist even if they were not loaded. */
const systemNamespaces = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** The objects of a store by kind, the kinds that their CustomResourceDefinitions serve, and the order of writes. Stored objects are never changed in place. */
export class Contents {
  readonly kinds = new KindRegistry();
  readonly history = new History(1);
  /** Increases when continue tokens expire. */
  epoch = 0;
  readonly #name: string;
  readonly #source: 'live' | 'sandbox' | 'dump';
  readonly #clock: Clock;
  readonly #collections = new Map<string, Collection>();
  readonly #byUid = new Map<string, ObjectLocation>();
  readonly #schemas = new WeakMap<KubeObject, Map<string, KindSchema>>();
  readonly #watches = new Set<(signal: WatchSignal) => void>();

  constructor(name: string, source: 'live' | 'sandbox' | 'dump', clock: Clock, kinds: readonly Resource[]) {
    this.#name = name;
    this.#source = source;
    this.#clock = clock;
    for (const kind of builtinKinds()) this.kinds.set(kind);
    for (const resource of kinds) if (!this.kinds.find(resource)) this.kinds.set(givenKind(resource));
  }

  served(resource: Resource): Kind {
    const kind = this.kinds.find(resource);
    if (kind) return kind;
    throw this.notServed(resource);
  }

  notServed(resource: Resource): KubeError {
    return new KubeError('not-served', `${this.#name} does not serve ${kindForPeople(resource)}.`, { status: 404 });
  }

  schemaOf(kind: Kind, version: string): KindSchema {
    if (kind.origin === 'builtin') return builtinSchema(kind.resource.group, kind.resource.kind);
    if (!kind.definition) return schemaless;
    const known = this.#schemas.get(kind.definition) ?? new Map<string, KindSchema>();
    this.#schemas.set(kind.definition, known);
    const schema = known.get(version) ?? schemaOfDefinition(kind.definition, version);
    known.set(version, schema);
    return schema;
  }

  read({ resource }: { resource: Resource }, key: string): KubeObject | null {
    return this.#collection(kindKeyOf(resource)).get(key) ?? null;
  }

  find(uid: string | undefined): ObjectLocation | null {
    return this.#byUid.get(uid ?? '') ?? null;
  }

  everything(): Iterable<KubeObject> {
    return this.#collections.values().flatMap((objects) => objects.values());
  }

  /** Objects sorted by namespace and name, as in etcd; all, or those of one namespace. */
  sorted(resource: Resource, namespace = ''): readonly KubeObject[] {
    const collection = this.#collection(kindKeyOf(resource));
    return namespace === '' ? collection.sorted() : collection.sortedIn(namespace);
  }

  /** Null if there is no such namespace. */
  namespace(name: string): 'there' | 'terminating' | null {
    const found = this.#collection('/namespaces').get(keyOf(undefined, name));
    if (found?.metadata.deletionTimestamp) return 'terminating';
    return found || systemNamespaces.has(name) || this.#source === 'dump' ? 'there' : null;
  }

  /** Stores one version, or removes the object, and notifies listeners. `object` already has its new resourceVersion. */
  commit({ kind, key }: ObjectLocation, type: Change['type'], object: KubeObject): Change {
    const before = this.read(kind, key);
    if (type === 'added' && isDefinition(object)) establish(object, objectTime(this.#clock.now()));
    if (type === 'deleted') this.#collection(kindKeyOf(kind.resource)).delete(key);
    else this.#collection(kindKeyOf(kind.resource)).set(key, object);
    this.#byUid.delete(before?.metadata.uid ?? '');
    if (type !== 'deleted') this.#byUid.set(object.metadata.uid ?? '', { kind, key });
    // Delete its objects first, so that listeners learn of each.
    if (type === 'deleted' && isDefinition(object)) this.#removeInstances(object);
    if (isDefinition(object)) this.#follow(object, type, before);
    const change: Change = {
      revision: Number(object.metadata.resourceVersion),
      kindKey: kindKeyOf(kind.resource),
      type,
      object,
      before,
    };
    this.history.record(change);
    return change;
  }

  load(objects: Iterable<KubeObject>): void {
    if (this.#source === 'dump') this.#loadAsIs(objects);
    else for (const given of objects) this.#loadAsWritten(given);
  }

  /** Loads a dump without copies, defaults or bookkeeping: it is large and read-only, and must show only what its files have. */
  #loadAsIs(objects: Iterable<KubeObject>): void {
    let last: { apiVersion: string; kind: string; defines: boolean; collection: Collection } | null = null;
    for (const object of objects) {
      const { apiVersion, kind, metadata } = object;
      // In a dump, objects of a kind come in sequence.
      if (last === null || last.kind !== kind || last.apiVersion !== apiVersion) {
        const collection = this.#collection(kindKeyOf(this.#kindFor(object).resource));
        last = { apiVersion, kind, defines: isDefinition(object), collection };
      }
      if (last.defines)
        this.#follow(object, 'added', last.collection.get(keyOf(metadata.namespace, metadata.name ?? '')) ?? null);
      last.collection.load(object);
    }
  }

  #loadAsWritten(given: KubeObject): void {
    const kind = this.#kindFor(given);
    const revision = this.history.next();
    const uid = given.metadata.uid ?? randomUUID();
    const metadata: ObjectMeta = { ...given.metadata, uid };
    metadata.resourceVersion ??= String(revision);
    const loaded = copy({ ...given, metadata });
    this.#keepBooks(kind, loaded);
    const key = keyOf(metadata.namespace, metadata.name ?? '');
    const before = this.read(kind, key);
    this.#collection(kindKeyOf(kind.resource)).set(key, loaded);
    this.#byUid.set(uid, { kind, key });
    const type = before ? 'modified' : 'added';
    if (isDefinition(loaded)) this.#follow(loaded, type, before);
    this.history.record({ revision, kindKey: kindKeyOf(kind.resource), type, object: loaded, before });
  }

  snapshot(): Snapshot {
    const kinds = this.kinds.all();
    return {
      revision: this.history.revision,
      objects: kinds.flatMap(({ resource }) => this.sorted(resource).map((object) => frozen(object))),
      kinds: kinds.filter(({ origin }) => origin === 'given').map(({ resource }) => resource),
    };
  }

  restore(snapshot: Snapshot): void {
    for (const kind of this.kinds.all()) if (kind.origin !== 'builtin') this.kinds.remove(kind);
    this.#collections.clear();
    this.#byUid.clear();
    for (const resource of snapshot.kinds) this.kinds.set(givenKind(resource));
    this.load(snapshot.objects.toSorted((a, b) => Number(isDefinition(b)) - Number(isDefinition(a))));
    this.history.restart(snapshot.revision);
    this.epoch += 1;
    this.signal({ type: 'expire' });
  }

  signal(signal: WatchSignal): void {
    for (const listener of [...this.#watches]) listener(signal);
  }

  subscribe(listener: (signal: WatchSignal) => void): () => void {
    this.#watches.add(listener);
    return () => this.#watches.delete(listener);
  }

  #collection(kindKey: string): Collection {
    let found = this.#collections.get(kindKey);
    if (!found) {
      found = new Collection();
      this.#collections.set(kindKey, found);
    }
    return found;
  }

  #keepBooks(kind: Kind, object: KubeObject): void {
    const { metadata } = object;
    metadata.creationTimestamp ??= objectTime(this.#clock.now());
    if (countsGenerations(kind)) metadata.generation ??= 1;
    if (isDefinition(object) && object.status === undefined) establish(object, metadata.creationTimestamp);
  }

  #kindFor({ apiVersion, kind: name, metadata }: KubeObject): Kind {
    const { group, version } = parseApiVersion(apiVersion);
    const known = this.kinds.findKind(group, name);
    if (known) return known;
    const plural = `${name.toLowerCase()}s`;
    const kind = givenKind({ group, version, kind: name, plural, namespaced: metadata.namespace !== undefined });
    this.kinds.set(kind);
    this.signal({ type: 'served', kindKey: kindKeyOf(kind.resource) });
    return kind;
  }

  #removeInstances(definition: KubeObject): void {
    const kind = kindOfDefinition(definition);
    if (!kind) return;
    for (const [key, instance] of this.#collection(kindKeyOf(kind.resource)).entries()) {
      const resourceVersion = String(this.history.next());
      this.commit({ kind, key }, 'deleted', { ...instance, metadata: { ...instance.metadata, resourceVersion } });
    }
  }

  /** A CustomResourceDefinition makes its kind served; a changed one closes every watch of the kind (controlplane.md › Recordings, item 4). */
  #follow(definition: KubeObject, type: Change['type'], before: KubeObject | null): void {
    const kind = kindOfDefinition(definition);
    const previous = before && kindOfDefinition(before);
    if (previous && (type === 'deleted' || !kind)) this.kinds.remove(previous);
    if (!kind) return;
    const kindKey = kindKeyOf(kind.resource);
    if (type === 'deleted') {
      this.#collections.delete(kindKey);
      this.signal({ type: 'expire', kindKey });
      return;
    }
    this.kinds.set(kind);
    if (before?.metadata.generation !== definition.metadata.generation) this.signal({ type: 'served', kindKey });
  }
}

function isDefinition(object: KubeObject): boolean {
  return object.kind === 'CustomResourceDefinition' && object.apiVersion.startsWith('apiextensions.k8s.io/');
}
