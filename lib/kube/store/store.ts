import { randomUUID } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { KubeError } from '../error.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import type { StoreUser } from './access.ts';
import { Calls } from './calls.ts';
import { Contents } from './contents.ts';
import { copy } from './json.ts';
import { kindKeyOf, nameForPeople } from './kinds.ts';
import type { Store, StoreOptions } from './store-contract.ts';
import { viewAs } from './view.ts';
import { GarbageCollector } from './write/garbage-collection.ts';
import { Writer } from './write/writer.ts';

/** An in-memory Kubernetes API. architecture.md › The port to a cluster says what it models. */
export function createStore(options: StoreOptions): Store {
  const clock = options.clock ?? systemClock;
  const calls = new Calls();
  const contents = new Contents(options.name, options.source, clock, options.kinds ?? []);
  const writer = new Writer({
    clock,
    schemaOf: (kind, version) => contents.schemaOf(kind, version),
    read: (kind, key) => contents.read(kind, key),
    requireNamespace: (kind, namespace, name) => {
      const found = contents.namespace(namespace);
      if (found === null) throw new KubeError('not-found', `namespaces "${namespace}" not found`, { status: 404 });
      if (found === 'there') return;
      const because = `unable to create new content in namespace ${namespace} because it is being terminated`;
      throw new KubeError('forbidden', `${nameForPeople(kind.resource, name)} is forbidden: ${because}`, {
        status: 403,
        isNamespaceGoing: true,
      });
    },
    commit: (kind, key, type, object) => collector.notice(contents.commit({ kind, key }, type, object)),
    nextRevision: () => String(contents.history.next()),
    newUid: () => randomUUID(),
  });
  const collector = new GarbageCollector(
    collectable(contents, writer, (change) => collector.notice(change)),
    clock,
  );

  const view = (user: StoreUser) => viewAs(user, { contents, writer, calls, clock, options });
  const own = options.access ? { name: 'signalbox', rules: options.access } : administrator;
  contents.load(options.objects ?? []);
  return {
    ...view(own),
    load: (objects) => contents.load(objects),
    snapshot: () => contents.snapshot(),
    restore: (snapshot) => contents.restore(snapshot),
    onChange: (listener) => contents.history.listen(listener),
    as: view,
    intercept: (interceptor) => calls.intercept(interceptor),
    closeWatches: (resource) =>
      contents.signal({ type: 'close', ...(resource ? { kindKey: kindKeyOf(resource) } : {}) }),
    expireHistory: (resource) => {
      contents.epoch += 1;
      contents.signal({ type: 'expire', ...(resource ? { kindKey: kindKeyOf(resource) } : {}) });
    },
    bookmark: () => contents.signal({ type: 'bookmark' }),
    settled: () => collector.settled(),
  };
}

const administrator: StoreUser = { name: 'admin', rules: [{ verbs: ['*'], groups: ['*'], resources: ['*'] }] };

/** The store's interface for the garbage collector. */
function collectable(
  contents: Contents,
  writer: Writer,
  notice: (change: ReturnType<Contents['commit']>) => void,
): ConstructorParameters<typeof GarbageCollector>[0] {
  const rewrite = (object: KubeObject, change: (metadata: ObjectMeta) => void) => {
    const at = contents.find(object.metadata.uid);
    const live = at && contents.read(at.kind, at.key);
    if (!live) return;
    const next = copy(live);
    change(next.metadata);
    next.metadata.resourceVersion = String(contents.history.next());
    const finished = next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0;
    notice(contents.commit(at, finished && next.kind !== 'Namespace' ? 'deleted' : 'modified', next));
  };
  return {
    everything: () => contents.everything(),
    find: (uid) => {
      const at = contents.find(uid);
      return at && contents.read(at.kind, at.key);
    },
    remove: ({ metadata }, propagation) => {
      const at = contents.find(metadata.uid);
      if (at) writer.delete(at.kind, at.key, metadata.name ?? '', { propagation });
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
      const at = contents.find(namespace.metadata.uid);
      if (!at) return;
      const resourceVersion = String(contents.history.next());
      notice(contents.commit(at, 'deleted', { ...namespace, metadata: { ...namespace.metadata, resourceVersion } }));
    },
  };
}
