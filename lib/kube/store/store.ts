import { randomUUID } from 'node:crypto';
import { apiVersionOf, type Resource } from '#lib/spec/index.ts';
import { type Clock, systemClock } from '../clock.ts';
import { KubeError, type MissingRule } from '../error.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import type {
  CallOptions,
  Discovery,
  ExecResult,
  Kube,
  ListOptions,
  LogOptions,
  ObjectMetadata,
  ObjectRef,
  Page,
  WatchEvent,
  WatchOptions,
} from '../port.ts';
import { type AccessRule, forbidden, mayDo, type StoreUser } from './access.ts';
import { builtinKinds } from './builtin-definitions.ts';
import { builtinSchema } from './builtin-schema.ts';
import { schemaOfDefinition } from './definition-schema.ts';
import { GarbageCollector } from './garbage-collection.ts';
import { type Change, History } from './history.ts';
import { copy } from './json.ts';
import { type KindSchema, schemaless } from './kind-schema.ts';
import {
  establish,
  givenKind,
  type Kind,
  KindRegistry,
  kindForPeople,
  kindKeyOf,
  kindOfDefinition,
  nameForPeople,
  parseApiVersion,
} from './kinds.ts';
import { matcherOf } from './selectors.ts';
import { type WatchSignal, watchHistory } from './watch.ts';
import { type Write, Writer } from './writer.ts';

/** What answers for the pods of a sandbox: nothing in the store runs. Absent ones are `unsupported`. */
export type PodHandlers = {
  logs?: (pod: { namespace: string; name: string }, options: LogOptions) => Promise<string>;
  get?: (pod: {
    namespace: string;
    name: string;
    port: number;
    path: string;
    scheme?: 'http' | 'https';
  }) => Promise<{ status: number; body: string }>;
  exec?: (
    pod: { namespace: string; name: string; container: string },
    command: readonly string[],
  ) => Promise<ExecResult>;
};

export type StoreOptions = {
  name: string;
  source: Kube['source'];
  clock?: Clock;
  /** `gitVersion` to report; null (the default) when it cannot be told. */
  version?: string | null;
  /** Kinds that are served without a schema, beside the built-in ones and those of CustomResourceDefinitions. */
  kinds?: readonly Resource[];
  objects?: Iterable<KubeObject>;
  /** What the store's own user may do; everything when absent. `as` makes others. */
  access?: readonly AccessRule[];
  pods?: PodHandlers;
};

/** One call, as interceptors and tests see it. `verb` is RBAC's. */
export type Call = MissingRule & { user: string; body?: unknown };

/**
 * Stands around every call: may wait, throw a KubeError instead of `proceed()` (nothing happens) or after it (it happened, but the answer
 * was lost), or act on the store. A list passes once a page, a watch once each time it lists.
 */
export type Interceptor = (call: Call, proceed: () => Promise<void>) => Promise<void>;

/** Everything a store holds, as plain data. */
export type Snapshot = { revision: number; objects: KubeObject[]; kinds: Resource[] };

export interface Store extends Kube {
  /** Puts objects in as they are, outside of any validation; server bookkeeping is filled in when absent, unknown kinds become served ones. */
  load(objects: Iterable<KubeObject>): void;
  snapshot(): Snapshot;
  /** Replaces everything; every watch lists again. */
  restore(snapshot: Snapshot): void;
  /** Each write, in order, after it happened. Returns the way to stop. */
  onChange(listener: (change: Change) => void): () => void;
  /** The same cluster as another user, held to rules. */
  as(user: StoreUser): Kube;
  /** Later interceptors stand outside of earlier ones. Returns the way to take it out again. */
  intercept(interceptor: Interceptor): () => void;
  /** Ends the streams of watches; they resume by themselves. */
  closeWatches(resource?: Resource): void;
  /** Forgets history: watches that are open get 410 and list again, continue tokens expire. */
  expireHistory(resource?: Resource): void;
  bookmark(): void;
  /** Resolves when garbage collection has nothing left to do. */
  settled(): Promise<void>;
}

const administrator: StoreUser = { name: 'admin', rules: [{ verbs: ['*'], groups: ['*'], resources: ['*'] }] };

/** An in-memory Kubernetes API. architecture.md › The port to a cluster says what it models. */
export function createStore(options: StoreOptions): Store {
  const clock = options.clock ?? systemClock;
  const kinds = new KindRegistry();
  for (const kind of builtinKinds()) kinds.set(kind);
  for (const resource of options.kinds ?? []) if (!kinds.find(resource)) kinds.set(givenKind(resource));

  const history = new History(1);
  const collections = new Map<string, Map<string, KubeObject>>();
  const interceptors: Interceptor[] = [];
  const watchListeners = new Set<(signal: WatchSignal) => void>();
  let historyEpoch = 0;

  const collection = (kindKey: string): Map<string, KubeObject> => {
    let found = collections.get(kindKey);
    if (!found) {
      found = new Map();
      collections.set(kindKey, found);
    }
    return found;
  };
  const signalWatches = (signal: WatchSignal) => {
    for (const listener of [...watchListeners]) listener(signal);
  };

  const followDefinition = (object: KubeObject, type: Change['type'], before: KubeObject | null) => {
    const kind = kindOfDefinition(object);
    const previous = before && kindOfDefinition(before);
    if (previous && (type === 'deleted' || !kind)) kinds.remove(previous);
    if (!kind) return;
    if (type === 'deleted') {
      kinds.remove(kind);
      collections.delete(kindKeyOf(kind.resource));
      signalWatches({ type: 'expire', kindKey: kindKeyOf(kind.resource) });
      return;
    }
    kinds.set(kind);
    // A changed definition closes every watch on its kind (controlplane.md › Recordings, item 4).
    const changedSpec = before === null || before.metadata.generation !== object.metadata.generation;
    if (changedSpec) signalWatches({ type: 'served', kindKey: kindKeyOf(kind.resource) });
  };

  const schemas = new WeakMap<KubeObject, Map<string, KindSchema>>();
  const schemaOf = (kind: Kind, version: string): KindSchema => {
    if (kind.origin === 'builtin') return builtinSchema(kind.resource.group, kind.resource.kind);
    if (!kind.definition) return schemaless;
    const known = schemas.get(kind.definition) ?? new Map<string, KindSchema>();
    schemas.set(kind.definition, known);
    const schema = known.get(version) ?? schemaOfDefinition(kind.definition, version);
    known.set(version, schema);
    return schema;
  };
  const commit = (kind: Kind, key: string, type: Change['type'], object: KubeObject) => {
    const kindKey = kindKeyOf(kind.resource);
    const before = collection(kindKey).get(key) ?? null;
    if (type === 'added' && object.kind === 'CustomResourceDefinition') establish(object, timestamp(clock));
    if (type === 'deleted') collection(kindKey).delete(key);
    else collection(kindKey).set(key, object);
    if (object.kind === 'CustomResourceDefinition') followDefinition(object, type, before);
    byUid.delete(before?.metadata.uid ?? '');
    if (type !== 'deleted') byUid.set(object.metadata.uid ?? '', { kind, key });
    const change: Change = { revision: Number(object.metadata.resourceVersion), kindKey, type, object, before };
    history.record(change);
    collector.notice(change);
  };
  const byUid = new Map<string, { kind: Kind; key: string }>();
  const read = (kind: Kind, key: string) => collection(kindKeyOf(kind.resource)).get(key) ?? null;
  const writer = new Writer({
    clock,
    schemaOf,
    read,
    requireNamespace: (kind, namespace, name) => {
      if (options.source === 'dump') return;
      const found = collection('/namespaces').get(keyOf(undefined, namespace));
      if (!found && !systemNamespaces.has(namespace)) {
        throw new KubeError('not-found', `namespaces "${namespace}" not found`, { status: 404 });
      }
      if (!found?.metadata.deletionTimestamp) return;
      throw new KubeError(
        'forbidden',
        `${nameForPeople(kind.resource, name)} is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
        { status: 403 },
      );
    },
    commit,
    nextRevision: () => String(history.next()),
    newUid: () => randomUUID(),
  });
  const located = (object: KubeObject) => byUid.get(object.metadata.uid ?? '');
  const rewrite = (object: KubeObject, change: (metadata: ObjectMeta) => void) => {
    const at = located(object);
    const live = at && read(at.kind, at.key);
    if (!at || !live) return;
    const next = copy(live);
    change(next.metadata);
    next.metadata.resourceVersion = String(history.next());
    const finished = next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0;
    commit(at.kind, at.key, finished && next.kind !== 'Namespace' ? 'deleted' : 'modified', next);
  };
  const collector = new GarbageCollector(
    {
      everything: () => collections.values().flatMap((objects) => objects.values()),
      find: (uid) => {
        const at = byUid.get(uid);
        return at ? read(at.kind, at.key) : null;
      },
      remove: (object, propagation) => {
        const at = located(object);
        if (at && read(at.kind, at.key)) writer.delete(at.kind, at.key, object.metadata.name ?? '', { propagation });
      },
      setFinalizers: (object, finalizers) =>
        rewrite(object, (metadata) => {
          if (finalizers.length > 0) metadata.finalizers = [...finalizers];
          else delete metadata.finalizers;
        }),
      setOwners: (object, owners) =>
        rewrite(object, (metadata) => {
          if (owners && owners.length > 0) metadata.ownerReferences = owners;
          else delete metadata.ownerReferences;
        }),
      removeNamespace: (namespace) => {
        const at = located(namespace);
        if (!at) return;
        commit(at.kind, at.key, 'deleted', {
          ...namespace,
          metadata: { ...namespace.metadata, resourceVersion: String(history.next()) },
        });
      },
    },
    clock,
  );

  const served = (resource: Resource): Kind => {
    const kind = kinds.find(resource);
    if (kind) return kind;
    throw notServed(options.name, resource);
  };

  const load = (objects: Iterable<KubeObject>) => {
    for (const given of objects) {
      const { group, version } = parseApiVersion(given.apiVersion);
      let kind = kinds.findKind(group, given.kind);
      if (!kind) {
        const plural = `${given.kind.toLowerCase()}s`;
        kind = givenKind({
          group,
          version,
          kind: given.kind,
          plural,
          namespaced: given.metadata.namespace !== undefined,
        });
        kinds.set(kind);
        signalWatches({ type: 'served', kindKey: kindKeyOf(kind.resource) });
      }
      const object = options.source === 'dump' ? given : copy(given);
      const key = keyOf(object.metadata.namespace, object.metadata.name ?? '');
      const revision = history.next();
      const metadata: ObjectMeta = { ...object.metadata };
      metadata.uid ??= randomUUID();
      metadata.creationTimestamp ??= timestamp(clock);
      metadata.resourceVersion ??= String(revision);
      const loaded: KubeObject = { ...object, metadata };
      const before = collection(kindKeyOf(kind.resource)).get(key) ?? null;
      collection(kindKeyOf(kind.resource)).set(key, loaded);
      byUid.set(metadata.uid, { kind, key });
      if (loaded.kind === 'CustomResourceDefinition') followDefinition(loaded, before ? 'modified' : 'added', before);
      if (options.source === 'dump') continue;
      history.record({
        revision,
        kindKey: kindKeyOf(kind.resource),
        type: before ? 'modified' : 'added',
        object: loaded,
        before,
      });
    }
  };

  // Dumps are read-only and large: their objects are handed out as they are.
  const out = <T>(value: T): T => (options.source === 'dump' ? value : copy(value));

  const view = (user: StoreUser): Kube => {
    const call = async <T>(
      rule: MissingRule,
      callOptions: CallOptions | undefined,
      body: unknown,
      act: () => T | Promise<T>,
    ): Promise<T> => {
      const { signal } = callOptions ?? {};
      throwIfAborted(signal);
      let result: { value: T } | null = null;
      let proceed = async () => {
        if (!mayDo(user, rule)) throw forbidden(user.name, rule);
        result = { value: await act() };
      };
      for (const interceptor of interceptors) {
        const inner = proceed;
        proceed = () => interceptor({ ...rule, user: user.name, body }, inner);
      }
      // Calls to a real server never answer in the same turn; code that relies on it would only work here.
      await Promise.resolve();
      await untilAborted(proceed(), signal);
      const done = result as { value: T } | null;
      if (!done) throw new KubeError('server', 'An interceptor neither proceeded nor failed.');
      return done.value;
    };

    const ruleOf = (
      verb: string,
      resource: Resource,
      where: { namespace?: string | undefined; name?: string | undefined; subresource?: string | undefined } = {},
    ): MissingRule => ({
      verb,
      group: resource.group,
      resource: resource.plural,
      ...(where.subresource === undefined ? {} : { subresource: where.subresource }),
      ...(where.namespace === undefined || where.namespace === '' ? {} : { namespace: where.namespace }),
      ...(where.name === undefined ? {} : { name: where.name }),
    });

    const write = async (
      verb: string,
      resource: Resource,
      request: Write,
      callOptions: CallOptions | undefined,
      body: unknown,
    ): Promise<KubeObject> => {
      const rule = ruleOf(verb, resource, {
        namespace: request.namespace,
        name: request.operation === 'create' ? undefined : request.name,
        subresource: request.options.subresource,
      });
      return call(rule, callOptions, body, () => copy(writer.write(served(resource), request)));
    };

    async function* pages<T>(
      resource: Resource,
      listOptions: ListOptions,
      shape: (object: KubeObject) => T,
    ): AsyncGenerator<Page<T>> {
      const pageSize = listOptions.pageSize ?? 500;
      const matches = matcherOf(listOptions);
      const rule = ruleOf('list', resource, { namespace: listOptions.namespace });
      const given = new Set<string>();
      let retried = false;
      let snapshot: { objects: KubeObject[]; revision: number; epoch: number; offset: number } | null = null;
      for (;;) {
        let page: Page<T>;
        let more: boolean;
        try {
          const at = await call(rule, listOptions, undefined, () => {
            const kind = served(resource);
            if (snapshot && snapshot.epoch !== historyEpoch) throw expired();
            snapshot ??= {
              objects: sorted(collection(kindKeyOf(kind.resource))).filter(matches),
              revision: history.revision,
              epoch: historyEpoch,
              offset: 0,
            };
            return snapshot;
          });
          const slice = at.objects.slice(at.offset, at.offset + pageSize);
          at.offset += slice.length;
          more = at.offset < at.objects.length;
          const fresh = retried ? slice.filter((object) => !given.has(objectKey(object))) : slice;
          if (more || retried) for (const object of slice) given.add(objectKey(object));
          const items = fresh.map((object) => out(shape(inVersion(object, resource))));
          page = {
            items,
            resourceVersion: String(at.revision),
            remaining: more ? at.objects.length - at.offset : null,
          };
        } catch (error) {
          if (!(error instanceof KubeError) || error.code !== 'expired' || retried || !snapshot) throw error;
          retried = true;
          snapshot = null;
          continue;
        }
        if (page.items.length > 0 || !more) yield page;
        if (!more) return;
      }
    }

    const kube: Kube = {
      name: options.name,
      source: options.source,
      get: async (ref, callOptions) =>
        call(ruleOf('get', ref.resource, ref), callOptions, undefined, () => {
          const kind = kinds.find(ref.resource);
          const object = kind && read(kind, keyOf(scopeOf(ref), ref.name));
          return object ? out(inVersion(object, ref.resource)) : null;
        }),
      list: (resource, listOptions = {}) => pages(resource, listOptions, (object) => object),
      listMetadata: (resource, listOptions = {}) => pages<ObjectMetadata>(resource, listOptions, metadataOf),
      watch: (resource: Resource, watchOptions: WatchOptions = {}): AsyncIterable<WatchEvent> => {
        const matches = matcherOf(watchOptions);
        return watchHistory({
          history,
          clock,
          kindKey: kindKeyOf(resource),
          matches,
          ...(watchOptions.signal ? { signal: watchOptions.signal } : {}),
          notServed: () => notServed(options.name, resource),
          list: () =>
            call(ruleOf('watch', resource, { namespace: watchOptions.namespace }), {}, undefined, () => {
              if (!kinds.find(resource)) return null;
              return sorted(collection(kindKeyOf(resource)))
                .filter(matches)
                .map((object) => copy(inVersion(object, resource)));
            }),
          subscribe: (listener) => {
            watchListeners.add(listener);
            return () => watchListeners.delete(listener);
          },
        });
      },
      create: (resource, object, writeOptions = {}) =>
        write(
          'create',
          resource,
          {
            operation: 'create',
            resource,
            namespace: object.metadata.namespace,
            name: object.metadata.name ?? '',
            body: object,
            options: writeOptions,
          },
          writeOptions,
          object,
        ),
      apply: (resource, object, writeOptions = {}) =>
        write(
          'patch',
          resource,
          {
            operation: 'apply',
            resource,
            namespace: object.metadata.namespace,
            name: object.metadata.name ?? '',
            body: object,
            force: writeOptions.force === true,
            options: writeOptions,
          },
          writeOptions,
          object,
        ),
      replace: (resource, object, writeOptions = {}) =>
        write(
          'update',
          resource,
          {
            operation: 'replace',
            resource,
            namespace: object.metadata.namespace,
            name: object.metadata.name ?? '',
            body: object,
            options: writeOptions,
          },
          writeOptions,
          object,
        ),
      patch: (ref, patch, writeOptions = {}) =>
        write(
          'patch',
          ref.resource,
          {
            operation: 'patch',
            resource: ref.resource,
            namespace: scopeOf(ref),
            name: ref.name,
            patch,
            options: writeOptions,
          },
          writeOptions,
          patch,
        ),
      delete: async (ref, deleteOptions = {}) => {
        const rule = ruleOf('delete', ref.resource, ref);
        await call(rule, deleteOptions, undefined, () =>
          writer.delete(served(ref.resource), keyOf(scopeOf(ref), ref.name), ref.name, deleteOptions),
        );
      },
      allowed: async (rules) => rules.map((rule) => ({ ...rule, allowed: mayDo(user, rule) })),
      discover: async (): Promise<Discovery> => ({
        resources: kinds
          .all()
          .flatMap((kind) => kind.versions.map((version) => ({ ...kind.resource, version, verbs: [...allVerbs] }))),
        failing: [],
      }),
      version: async () => options.version ?? null,
      logs: (pod, logOptions) =>
        call({ verb: 'get', group: '', resource: 'pods', subresource: 'log', ...pod }, logOptions, undefined, () => {
          needPod(pod);
          return (options.pods?.logs ?? missing('logs of pods'))(pod, logOptions);
        }),
      podGet: (pod, callOptions) =>
        call(
          { verb: 'get', group: '', resource: 'pods', subresource: 'proxy', namespace: pod.namespace, name: pod.name },
          callOptions,
          undefined,
          () => {
            needPod(pod);
            return (options.pods?.get ?? missing('requests to pods'))(pod);
          },
        ),
      exec: (pod, command, callOptions) =>
        call(
          {
            verb: 'create',
            group: '',
            resource: 'pods',
            subresource: 'exec',
            namespace: pod.namespace,
            name: pod.name,
          },
          callOptions,
          command,
          () => {
            needPod(pod);
            return (options.pods?.exec ?? missing('commands in pods'))(pod, command);
          },
        ),
      close: async () => undefined,
    };
    return kube;
  };

  const needPod = (pod: { namespace: string; name: string }) => {
    if (collection('/pods').has(keyOf(pod.namespace, pod.name))) return;
    throw new KubeError('not-found', `pods "${pod.name}" not found`, { status: 404 });
  };
  const missing = (what: string) => (): never => {
    throw new KubeError('unsupported', `${options.name} has no ${what}.`);
  };

  const own = options.access ? { name: 'signalbox', rules: options.access } : administrator;
  const store: Store = {
    ...view(own),
    load,
    snapshot: () => ({
      revision: history.revision,
      objects: kinds
        .all()
        .flatMap((kind) => sorted(collection(kindKeyOf(kind.resource))).map((object) => copy(object))),
      kinds: kinds
        .all()
        .filter((kind) => kind.origin === 'given')
        .map((kind) => kind.resource),
    }),
    restore: (snapshot) => {
      for (const kind of kinds.all()) if (kind.origin !== 'builtin') kinds.remove(kind);
      collections.clear();
      byUid.clear();
      for (const resource of snapshot.kinds) kinds.set(givenKind(resource));
      const definitionsFirst = [...snapshot.objects].sort(
        (a, b) => Number(b.kind === 'CustomResourceDefinition') - Number(a.kind === 'CustomResourceDefinition'),
      );
      load(definitionsFirst);
      history.restart(snapshot.revision);
      historyEpoch += 1;
      signalWatches({ type: 'expire' });
    },
    onChange: (listener) => history.listen(listener),
    as: view,
    intercept: (interceptor) => {
      interceptors.push(interceptor);
      return () => {
        const index = interceptors.indexOf(interceptor);
        if (index >= 0) interceptors.splice(index, 1);
      };
    },
    closeWatches: (resource) => signalWatches({ type: 'close', ...(resource ? { kindKey: kindKeyOf(resource) } : {}) }),
    expireHistory: (resource) => {
      historyEpoch += 1;
      history.compact();
      signalWatches({ type: 'expire', ...(resource ? { kindKey: kindKeyOf(resource) } : {}) });
    },
    bookmark: () => signalWatches({ type: 'bookmark' }),
    settled: () => collector.settled(),
  };
  load(options.objects ?? []);
  return store;
}

/** They are there in every cluster, whether they were loaded or not. */
const systemNamespaces = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

export function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

const objectKey = (object: KubeObject): string => keyOf(object.metadata.namespace, object.metadata.name ?? '');

const scopeOf = (ref: ObjectRef): string | undefined => (ref.resource.namespaced ? ref.namespace : undefined);

function sorted(objects: ReadonlyMap<string, KubeObject>): KubeObject[] {
  return [...objects.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, object]) => object);
}

/** Served versions of one kind differ in name only here: conversion between schemas is not modelled. */
function inVersion(object: KubeObject, resource: Resource): KubeObject {
  const apiVersion = apiVersionOf(resource);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

function metadataOf(object: KubeObject): ObjectMetadata {
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

/** Whole seconds, as the API server writes metav1.Time. */
export function timestamp(clock: Clock): string {
  return `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
}

function notServed(name: string, resource: Resource): KubeError {
  return new KubeError('not-served', `${name} does not serve ${kindForPeople(resource)}.`, { status: 404 });
}

function expired(): KubeError {
  return new KubeError('expired', 'The provided continue parameter is too old to display a consistent list result.', {
    status: 410,
  });
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new KubeError('aborted', 'The call was cancelled.', {}, signal.reason);
}

async function untilAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return work;
  throwIfAborted(signal);
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new KubeError('aborted', 'The call was cancelled.', {}, signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
