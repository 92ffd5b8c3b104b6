import { isRecord, mergePatch, same } from '#lib/base/records.ts';
import { apiVersionOf, names, type Resource } from '#lib/spec/index.ts';
import type { Clock } from '../../clock.ts';
import { KubeError } from '../../error.ts';
import type { KubeObject, ObjectMeta } from '../../object.ts';
import type { DeleteOptions, Patch, WriteOptions } from '../../port.ts';
import { applyManaged, type Manager, managedAfterUpdate, NotTyped, sameButTimes } from '../apply/managed-fields.ts';
import { OwnershipConflict } from '../apply/ownership.ts';
import { copy } from '../json.ts';
import type { Kind } from '../kinds.ts';
import type { Change } from '../read/history.ts';
import type { KindSchema } from '../schema/kind-schema.ts';
import { jsonPatch } from './json-patch.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  invalid,
  modified,
  notFound,
  ownedByOthers,
  preconditionFailed,
} from './refusal.ts';
import { refuseUnknown, requireIdentity, requireOldFinalizers, requireSameName } from './requirements.ts';
import {
  allowsUnconditionalUpdate,
  type Endpoint,
  fieldsKept,
  prepareForCreate,
  prepareForUpdate,
} from './strategy.ts';

/** What the writer works on: the objects of the store, and the things that only the server decides. */
export type StoreState = {
  readonly clock: Clock;
  read(kind: Kind, key: string): KubeObject | null;
  schemaOf(kind: Kind, version: string): KindSchema;
  /** Throws when nothing can be created in this namespace. */
  requireNamespace(kind: Kind, namespace: string, name: string): void;
  /** Stores one version and tells everyone. */
  commit(kind: Kind, key: string, type: Change['type'], object: KubeObject): void;
  nextRevision(): string;
  newUid(): string;
};

type Target = { resource: Resource; namespace: string | undefined; name: string; options: WriteOptions };

export type Write =
  | (Target & { operation: 'create' | 'replace'; body: KubeObject })
  | (Target & { operation: 'apply'; body: KubeObject; force: boolean })
  | (Target & { operation: 'patch'; patch: Patch });

type Context = {
  kind: Kind;
  key: string;
  name: string;
  schema: KindSchema;
  endpoint: Endpoint;
  options: WriteOptions;
  manager: Manager;
};

/**
 * Every write of the port, in the order in which the API server does it: decode, default, merge, own, prepare, validate, store
 * (apiserver pkg/endpoints/handlers and pkg/registry). Refused: strategic merge patches, the scale subresource, conversion, admission.
 */
export class Writer {
  readonly #state: StoreState;

  constructor(state: StoreState) {
    this.#state = state;
  }

  write(kind: Kind, request: Write): KubeObject {
    const { options } = request;
    const apiVersion = apiVersionOf(request.resource);
    if (options.subresource === 'scale')
      throw new KubeError('unsupported', 'The store does not model the scale subresource.');
    if (options.subresource && !kind.subresources.includes(options.subresource)) throw notFound(kind, request.name);
    if (request.operation !== 'patch') requireIdentity(kind, apiVersion, request.body);
    const { namespaced } = kind.resource;
    if (namespaced && !request.namespace) throw badRequest('an empty namespace may not be set during creation');
    const namespace = namespaced ? request.namespace : undefined;
    const name = request.operation === 'create' ? this.#nameFor(kind, request.body) : request.name;
    const key = `${namespace ?? ''}/${name}`;
    const endpoint: Endpoint = options.subresource === 'status' ? 'status' : 'main';
    const schema = this.#state.schemaOf(kind, request.resource.version);
    const context: Context = {
      kind,
      key,
      name,
      schema,
      endpoint,
      options,
      manager: {
        name: options.fieldManager ?? names.fieldManager,
        apiVersion,
        subresource: options.subresource,
        now: this.#now(),
        type: schema.type,
        kept: fieldsKept(kind, endpoint),
      },
    };
    const stored = this.#state.read(kind, key);
    const live = stored && (stored.apiVersion === apiVersion ? stored : { ...stored, apiVersion });
    if (live) {
      if (request.operation === 'create') throw alreadyExists(kind, name);
      return this.#update(context, live, request);
    }
    if (request.operation === 'create' || (request.operation === 'apply' && endpoint === 'main')) {
      if (namespace !== undefined) this.#state.requireNamespace(kind, namespace, name);
      return this.#create(context, namespace, request);
    }
    throw notFound(kind, name);
  }

  #create(context: Context, namespace: string | undefined, request: Extract<Write, { body: KubeObject }>): KubeObject {
    const { kind, schema, name, manager, options } = context;
    if (request.body.metadata.resourceVersion) {
      if (request.operation === 'apply') throw conflict(kind, name, modified);
      throw badRequest('resourceVersion should not be set on objects to be created');
    }
    const named = { ...request.body, metadata: { ...request.body.metadata, name } };
    let object: KubeObject;
    if (request.operation === 'apply') {
      if (request.body.metadata.uid) {
        throw conflict(
          kind,
          name,
          `uid mismatch: the provided object specified uid ${request.body.metadata.uid}, and no existing object was found`,
        );
      }
      object = this.#applied(context, null, named, true) ?? named;
    } else {
      object = this.#decoded(context, named, 'body');
      const managedFields = managedAfterUpdate(null, object, manager);
      object.metadata = withManagedFields(object.metadata, managedFields);
    }
    object.metadata = {
      ...object.metadata,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: this.#state.newUid(),
      creationTimestamp: manager.now,
    };
    delete object.metadata.deletionTimestamp;
    delete object.metadata.deletionGracePeriodSeconds;
    prepareForCreate(kind, object, emptyStatusOf(schema, object));
    this.#requireValid(context, object, null);
    const result = this.#asStored(context, object);
    if (options.dryRun) return result;
    result.metadata.resourceVersion = this.#state.nextRevision();
    this.#state.commit(kind, context.key, 'added', result);
    return result;
  }

  #update(context: Context, live: KubeObject, request: Write): KubeObject {
    const { kind, name, options, endpoint, manager } = context;
    let updated: KubeObject;
    if (request.operation === 'apply') {
      const given = request.body.metadata;
      if (given.resourceVersion && given.resourceVersion !== live.metadata.resourceVersion)
        throw conflict(kind, name, modified);
      updated = this.#applied(context, live, request.body, request.force) ?? live;
    } else {
      updated = this.#decoded(
        context,
        this.#requested(live, request),
        request.operation === 'patch' ? 'patch' : 'body',
      );
      this.#requirePreconditions(context, live, updated, request.operation);
      updated.metadata = withManagedFields(updated.metadata, managedAfterUpdate(live, updated, manager));
    }
    requireSameName(context, live, updated);
    const object = prepareForUpdate(kind, live, updated, endpoint);
    keepServerFields(object.metadata, live.metadata);
    this.#requireValid(context, object, live);
    requireOldFinalizers(context, live, object);
    const result = this.#asStored(context, object);
    if (sameButTimes(result.metadata.managedFields, live.metadata.managedFields) && sameButMetadata(result, live))
      return live;
    if (options.dryRun) return result;
    const finished = result.metadata.deletionTimestamp !== undefined && (result.metadata.finalizers ?? []).length === 0;
    const versioned = { ...result, metadata: { ...result.metadata, resourceVersion: this.#state.nextRevision() } };
    if (!finished || isNamespaceWithFinalizers(result)) {
      this.#state.commit(kind, context.key, 'modified', versioned);
      return versioned;
    }
    // The last finalizer is gone: the answer still shows the version before.
    this.#state.commit(kind, context.key, 'deleted', versioned);
    return result;
  }

  /** What a replace or a patch asks for, not yet decoded. */
  #requested(live: KubeObject, request: Extract<Write, { operation: 'replace' | 'patch' | 'create' }>): KubeObject {
    if (request.operation !== 'patch') return copy(request.body);
    const { patch } = request;
    const result =
      patch.type === 'merge' ? mergePatch(copy(live), copy(patch.body)) : jsonPatch(live, patch.operations);
    if (!isRecord(result) || !isRecord(result.metadata)) throw badRequest('the patch leaves no object');
    const object = result as KubeObject;
    if (patch.type === 'merge' && patch.resourceVersion !== undefined)
      object.metadata.resourceVersion = patch.resourceVersion;
    return object;
  }

  /** Result of a server-side apply with its entries; null when nothing at all changes. */
  #applied(context: Context, live: KubeObject | null, body: KubeObject, force: boolean): KubeObject | null {
    const { schema, manager } = context;
    if (body.metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
    try {
      const { object, managedFields } = applyManaged(live, copy(body), manager, force);
      const result = object ?? (live ? copy(live) : null);
      if (!result) return null;
      if (object && context.kind.origin === 'builtin') {
        const decoded = schema.decode(object).object;
        schema.setDefaults(decoded);
        decoded.metadata = withManagedFields(decoded.metadata, managedFields);
        return decoded;
      }
      if (object) schema.setDefaults(result);
      result.metadata = withManagedFields(result.metadata, managedFields);
      return result;
    } catch (error) {
      if (error instanceof OwnershipConflict) throw ownedByOthers(error.fields);
      if (error instanceof NotTyped) {
        const fields = [...error.message.matchAll(/\.([A-Za-z0-9_.[\]-]+): field not declared in schema/g)];
        throw new KubeError('invalid', error.message, {
          status: 500,
          fields: fields.map(([, field = '']) => ({ field, message: 'unknown field' })),
        });
      }
      throw error;
    }
  }

  #decoded(context: Context, given: KubeObject, from: 'body' | 'patch'): KubeObject {
    const { kind, name, schema, options } = context;
    const { object, unknown, wrong } = schema.decode(given);
    if (wrong.length > 0) {
      const message = wrong.map(({ field, message: said }) => `${field}: ${said}`).join(', ');
      if (from === 'patch') throw invalid(kind, name, [{ field: 'patch', message }]);
      throw badRequest(message, wrong);
    }
    if ((options.fieldValidation ?? 'Strict') === 'Strict' && unknown.length > 0) refuseUnknown(unknown, from);
    schema.setDefaults(object);
    return object;
  }

  #requirePreconditions(
    { kind, name }: Context,
    live: KubeObject,
    updated: KubeObject,
    operation: Write['operation'],
  ): void {
    const { uid, resourceVersion } = updated.metadata;
    if (operation === 'replace' && uid && uid !== live.metadata.uid)
      throw preconditionFailed(kind, name, 'UID', uid, live.metadata.uid);
    // Objects of a dump may have none (`kubectl neat` takes it out), so that none can be named.
    const isVersioned = live.metadata.resourceVersion !== undefined;
    if (!resourceVersion && isVersioned && !allowsUnconditionalUpdate(kind)) {
      throw invalid(kind, name, [
        { field: 'metadata.resourceVersion', message: 'Invalid value: 0: must be specified for an update' },
      ]);
    }
    if (resourceVersion && resourceVersion !== live.metadata.resourceVersion) throw conflict(kind, name, modified);
    if (uid && uid !== live.metadata.uid) {
      throw invalid(kind, name, [{ field: 'metadata.uid', message: `Invalid value: "${uid}": field is immutable` }]);
    }
  }

  #requireValid({ kind, name, schema }: Context, object: KubeObject, live: KubeObject | null): void {
    const problems = schema.problems(object, live);
    if (problems.length > 0) throw invalid(kind, name, problems);
  }

  /** As it reads after one turn through etcd: normalised, and defaulted once more. */
  #asStored({ schema }: Context, object: KubeObject): KubeObject {
    const stored = schema.decode(object).object;
    schema.setDefaults(stored);
    return stored;
  }

  delete(kind: Kind, key: string, name: string, options: DeleteOptions): void {
    const live = this.#state.read(kind, key);
    if (!live) throw notFound(kind, name);
    const { uid, resourceVersion } = live.metadata;
    if (options.uid !== undefined && options.uid !== uid) throw preconditionFailed(kind, name, 'UID', options.uid, uid);
    if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
      throw preconditionFailed(kind, name, 'ResourceVersion', options.resourceVersion, resourceVersion);
    }
    if (options.dryRun) return;
    const object = copy(live);
    const finalizers = withPropagation(object.metadata.finalizers ?? [], options.propagation);
    const waits = finalizers.length > 0 || kind.resource.kind === 'Namespace';
    if (waits && live.metadata.deletionTimestamp && same(finalizers, live.metadata.finalizers ?? [])) return;
    if (finalizers.length > 0) object.metadata.finalizers = finalizers;
    else delete object.metadata.finalizers;
    if (waits) {
      object.metadata.deletionTimestamp ??= this.#now();
      object.metadata.deletionGracePeriodSeconds ??= 0;
      if (object.metadata.generation && !live.metadata.deletionTimestamp) object.metadata.generation += 1;
      if (kind.resource.kind === 'Namespace')
        object.status = { ...(isRecord(object.status) ? object.status : {}), phase: 'Terminating' };
    }
    object.metadata.resourceVersion = this.#state.nextRevision();
    this.#state.commit(kind, key, waits ? 'modified' : 'deleted', object);
  }

  #nameFor(kind: Kind, body: KubeObject): string {
    const { name, generateName } = body.metadata;
    if (name) return name;
    if (!generateName)
      throw invalid(kind, '', [
        { field: 'metadata.name', message: 'Required value: name or generateName is required' },
      ]);
    return `${generateName}${this.#state.newUid().slice(0, 5)}`;
  }

  #now(): string {
    return `${new Date(this.#state.clock.now()).toISOString().slice(0, 19)}Z`;
  }
}

/** Foreground and Orphan are finalizers, which the garbage collector takes off; Background takes them off at once. */
function withPropagation(finalizers: readonly string[], propagation: DeleteOptions['propagation']): string[] {
  if (propagation === undefined) return [...finalizers];
  const others = finalizers.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  if (propagation === 'Foreground') return [...others, 'foregroundDeletion'];
  return propagation === 'Orphan' ? [...others, 'orphan'] : others;
}

function withManagedFields(metadata: ObjectMeta, managedFields: ObjectMeta['managedFields']): ObjectMeta {
  const { managedFields: _, ...rest } = metadata;
  return managedFields ? { ...rest, managedFields } : rest;
}

/** What no update changes. */
function keepServerFields(metadata: ObjectMeta, live: ObjectMeta): void {
  for (const field of [
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'resourceVersion',
  ] as const) {
    if (live[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: live[field] });
  }
}

function sameButMetadata(a: KubeObject, b: KubeObject): boolean {
  const comparable = ({ metadata, ...rest }: KubeObject) => ({ ...rest, metadata: { ...metadata, managedFields: [] } });
  return same(comparable(a), comparable(b));
}

/** What the schema writes as the status of an object that has none; undefined where it writes nothing. */
function emptyStatusOf(schema: KindSchema, { apiVersion, kind }: KubeObject): unknown {
  const empty = schema.decode({ apiVersion, kind, metadata: {} }).object;
  schema.setDefaults(empty);
  return empty.status;
}

function isNamespaceWithFinalizers({ kind, apiVersion, spec }: KubeObject): boolean {
  return (
    kind === 'Namespace' &&
    apiVersion === 'v1' &&
    isRecord(spec) &&
    Array.isArray(spec.finalizers) &&
    spec.finalizers.length > 0
  );
}
