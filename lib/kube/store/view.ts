import { apiVersionOf, type Resource } from '#lib/spec/index.ts';
import type { Clock } from '../clock.ts';
import { KubeError, type MissingRule } from '../error.ts';
import type { KubeObject } from '../object.ts';
import type { CallOptions, Kube, ListOptions, ObjectMetadata, ObjectRef } from '../port.ts';
import { mayDo, type StoreUser } from './access.ts';
import { type Calls, requireAccess } from './calls.ts';
import { keyOf } from './collection.ts';
import type { Contents } from './contents.ts';
import { frozen } from './json.ts';
import { kindKeyOf } from './kinds.ts';
import { listPages } from './read/list-pages.ts';
import { matcherOf, matchesEverything } from './read/selectors.ts';
import { watchHistory } from './read/watch.ts';
import type { PodHandlers, StoreOptions } from './store-contract.ts';
import type { Write } from './write/write-request.ts';
import type { Writer } from './write/writer.ts';

type Parts = { contents: Contents; writer: Writer; calls: Calls; clock: Clock; options: StoreOptions };

/** The store as one user sees it: every call is checked against the user's rules, and gets objects that are frozen, except of a dump's. */
export function viewAs(user: StoreUser, { contents, writer, calls, clock, options }: Parts): Kube {
  // Dumps are read-only and large, so their objects are not frozen.
  const out = <T>(value: T): T => (options.source === 'dump' ? value : frozen(value));

  const write = (verb: string, request: Write, callOptions: CallOptions, body: unknown): Promise<KubeObject> => {
    const { resource, namespace, name, operation } = request;
    const { subresource } = request.options;
    const rule = ruleOf(verb, resource, { namespace, subresource, ...(operation === 'create' ? {} : { name }) });
    return calls.perform(user, { rule, signal: callOptions.signal, body }, () => {
      const kind = contents.served(resource);
      // An apply that creates the object also needs the verb `create`.
      const creates = operation === 'apply' && !contents.read(kind, keyOf(namespace, name));
      if (creates) requireAccess(user, ruleOf('create', resource, { namespace }));
      return frozen(writer.write(kind, request));
    });
  };

  const pages = <T>(resource: Resource, listOptions: ListOptions, shape: (object: KubeObject) => T) => {
    const matches = matcherOf(listOptions);
    const rule = ruleOf('list', resource, { namespace: listOptions.namespace });
    let epoch = -1;
    return listPages(
      (reading) =>
        calls.perform(user, { rule, signal: listOptions.signal }, () => {
          contents.served(resource);
          if (reading && epoch === contents.epoch) return reading;
          if (reading) throw expired();
          epoch = contents.epoch;
          const all = contents.sorted(resource, listOptions.namespace);
          const objects = matches === matchesEverything ? all : all.filter(matches);
          return { objects, revision: contents.history.revision };
        }),
      listOptions.pageSize ?? 500,
      (object) => out(shape(inVersion(object, resource))),
    );
  };

  const inPod = <T>(
    verb: string,
    subresource: string,
    pod: { namespace: string; name: string },
    callOptions: CallOptions | undefined,
    act: (handlers: PodHandlers) => Promise<T> | undefined,
  ): Promise<T> => {
    const { namespace, name } = pod;
    const rule: MissingRule = { verb, group: '', resource: 'pods', subresource, namespace, name };
    return calls.perform(user, { rule, signal: callOptions?.signal }, () => {
      if (!contents.read({ resource: pods }, keyOf(namespace, name))) {
        throw new KubeError('not-found', `pods "${name}" not found`, { status: 404 });
      }
      return act(options.pods ?? {}) ?? unsupported(options.name, `pods/${subresource}`);
    });
  };

  return {
    name: options.name,
    source: options.source,
    get: (ref, callOptions) =>
      calls.perform(user, { rule: ruleOf('get', ref.resource, ref), signal: callOptions?.signal }, () => {
        const kind = contents.kinds.find(ref.resource);
        const object = kind && contents.read(kind, keyOf(scopeOf(ref), ref.name));
        return object ? out(inVersion(object, ref.resource)) : null;
      }),
    list: (resource, listOptions = {}) => deferred(() => pages(resource, listOptions, (object) => object)),
    listMetadata: (resource, listOptions = {}) => deferred(() => pages(resource, listOptions, metadataOf)),
    watch: (resource, watchOptions = {}) =>
      deferred(() => {
        const matches = matcherOf(watchOptions);
        const { namespace, signal } = watchOptions;
        return watchHistory({
          history: contents.history,
          clock,
          kindKey: kindKeyOf(resource),
          matches,
          ...(signal ? { signal } : {}),
          notServed: () => contents.notServed(resource),
          subscribe: (listener) => contents.subscribe(listener),
          list: () =>
            calls.perform(user, { rule: ruleOf('watch', resource, { namespace }) }, () => {
              requireAccess(user, ruleOf('list', resource, { namespace }));
              if (!contents.kinds.find(resource)) return null;
              return contents
                .sorted(resource, namespace)
                .filter(matches)
                .map((object) => frozen(inVersion(object, resource)));
            }),
        });
      }),

    create: (resource, object, writeOptions = {}) =>
      write(
        'create',
        { operation: 'create', resource, ...targetOf(object), body: object, options: writeOptions },
        writeOptions,
        object,
      ),
    apply: (resource, object, writeOptions = {}) => {
      const force = writeOptions.force === true;
      return write(
        'patch',
        { operation: 'apply', resource, ...targetOf(object), body: object, force, options: writeOptions },
        writeOptions,
        object,
      );
    },
    replace: (resource, object, writeOptions = {}) =>
      write(
        'update',
        { operation: 'replace', resource, ...targetOf(object), body: object, options: writeOptions },
        writeOptions,
        object,
      ),
    patch: (ref, patch, writeOptions = {}) => {
      const { resource, name } = ref;
      return write(
        'patch',
        { operation: 'patch', resource, namespace: scopeOf(ref), name, patch, options: writeOptions },
        writeOptions,
        patch,
      );
    },
    delete: (ref, deleteOptions = {}) =>
      calls.perform(user, { rule: ruleOf('delete', ref.resource, ref), signal: deleteOptions.signal }, () => {
        writer.delete(contents.served(ref.resource), keyOf(scopeOf(ref), ref.name), ref.name, deleteOptions);
      }),

    allowed: (rules, callOptions) =>
      calls.perform(user, { rule: review, open: 'to-everybody', signal: callOptions?.signal, body: rules }, () =>
        rules.map((rule) => ({ ...rule, allowed: mayDo(user, rule) })),
      ),
    discover: (callOptions) =>
      calls.perform(user, { rule: discovery, open: 'to-everybody', signal: callOptions?.signal }, () => ({
        resources: contents.kinds
          .all()
          .flatMap(({ resource, versions }) =>
            versions.map((version) => ({ ...resource, version, verbs: [...allVerbs] })),
          ),
        failing: [],
      })),
    version: (callOptions) =>
      calls.perform(
        user,
        { rule: discovery, open: 'to-everybody', signal: callOptions?.signal },
        () => options.version ?? null,
      ),

    logs: (pod, logOptions) => inPod('get', 'log', pod, logOptions, ({ logs }) => logs?.(pod, logOptions)),
    podGet: (pod, callOptions) => inPod('get', 'proxy', pod, callOptions, ({ get }) => get?.(pod)),
    exec: (pod, command, callOptions) => inPod('create', 'exec', pod, callOptions, ({ exec }) => exec?.(pod, command)),
    portForward: (pod, callOptions) =>
      inPod('create', 'portforward', pod, callOptions, ({ portForward }) => portForward?.(pod)),
    close: async () => undefined,
  };
}

const review: MissingRule = { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' };
/** Discovery has no resource; interceptors see this name. */
const discovery: MissingRule = { verb: 'get', group: '', resource: 'discovery' };
const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
const pods: Resource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

type Where = { namespace?: string | undefined; name?: string | undefined; subresource?: string | undefined };

function ruleOf(verb: string, resource: Resource, { namespace, name, subresource }: Where): MissingRule {
  return {
    verb,
    group: resource.group,
    resource: resource.plural,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined || namespace === '' || !resource.namespaced ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

function targetOf({ metadata }: KubeObject): { namespace: string | undefined; name: string } {
  return { namespace: metadata.namespace, name: metadata.name ?? '' };
}

function scopeOf(ref: ObjectRef): string | undefined {
  return ref.resource.namespaced ? ref.namespace : undefined;
}

/** An object in another served version: only `apiVersion` changes, because conversion between schemas is not modelled. */
function inVersion(object: KubeObject, resource: Resource): KubeObject {
  const apiVersion = apiVersionOf(resource);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

function metadataOf({ apiVersion, kind, metadata }: KubeObject): ObjectMetadata {
  return { apiVersion, kind, metadata };
}

/** Reports wrong options like other errors: the first `next()` rejects. */
async function* deferred<T>(start: () => AsyncIterable<T>): AsyncGenerator<T> {
  yield* start();
}

function expired(): KubeError {
  return new KubeError('expired', 'The provided continue parameter is too old to display a consistent list result.', {
    status: 410,
  });
}

function unsupported(name: string, what: string): never {
  throw new KubeError('unsupported', `${name} does not answer for ${what}.`);
}
