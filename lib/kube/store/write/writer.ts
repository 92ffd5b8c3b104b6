import { isRecord, mergePatch, same } from '#lib/base/records.ts';
import { apiVersionOf, names } from '#lib/spec/index.ts';
import { KubeError } from '../../error.ts';
import type { KubeObject, ObjectMeta } from '../../object.ts';
import { objectTime } from '../../object-time.ts';
import type { DeleteOptions } from '../../port.ts';
import { managedAfterUpdate, sameButTimes } from '../apply/managed-fields.ts';
import { copy } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { appliedObject, decodedObject, emptyStatusOf, storedObject, withManagedFields } from './body.ts';
import { deleteObject } from './delete-object.ts';
import { jsonPatch } from './json-patch.ts';
import { alreadyExists, badRequest, conflict, invalid, modified, notFound } from './refusal.ts';
import { requireIdentity, requireOldFinalizers, requirePreconditions, requireSameName } from './requirements.ts';
import type { StoreState } from './store-state.ts';
import { type Endpoint, prepareForCreate, prepareForUpdate, writableFields } from './strategy.ts';
import type { Write, WriteContext } from './write-request.ts';

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
    const context: WriteContext = {
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
        now: objectTime(this.#state.clock.now()),
        type: schema.type,
        writable: writableFields(kind, endpoint),
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

  #create(
    context: WriteContext,
    namespace: string | undefined,
    request: Extract<Write, { body: KubeObject }>,
  ): KubeObject {
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
      object = appliedObject(context, null, named, true) ?? named;
    } else {
      object = decodedObject(context, named, 'body');
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
    const result = storedObject(context, object);
    if (options.dryRun) return result;
    result.metadata.resourceVersion = this.#state.nextRevision();
    this.#state.commit(kind, context.key, 'added', result);
    return result;
  }

  #update(context: WriteContext, live: KubeObject, request: Write): KubeObject {
    const { kind, name, options, endpoint, manager } = context;
    let updated: KubeObject;
    if (request.operation === 'apply') {
      const given = request.body.metadata;
      if (given.resourceVersion && given.resourceVersion !== live.metadata.resourceVersion)
        throw conflict(kind, name, modified);
      updated = appliedObject(context, live, request.body, request.force) ?? live;
    } else {
      const from = request.operation === 'patch' ? 'patch' : 'body';
      updated = decodedObject(context, this.#requested(live, request), from);
      requirePreconditions(context, live, updated, request.operation);
      updated.metadata = withManagedFields(updated.metadata, managedAfterUpdate(live, updated, manager));
    }
    requireSameName(context, live, updated);
    const object = prepareForUpdate(kind, live, updated, endpoint);
    keepServerFields(object.metadata, live.metadata);
    this.#requireValid(context, object, live);
    requireOldFinalizers(context, live, object);
    const result = storedObject(context, object);
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
    const result = patch.type === 'merge' ? mergePatch(live, copy(patch.body)) : jsonPatch(live, patch.operations);
    if (!isRecord(result) || !isRecord(result.metadata)) throw badRequest('the patch leaves no object');
    const object = result as KubeObject;
    if (patch.type === 'merge' && patch.resourceVersion !== undefined)
      return { ...object, metadata: { ...object.metadata, resourceVersion: patch.resourceVersion } };
    return object;
  }

  #requireValid({ kind, name, schema }: WriteContext, object: KubeObject, live: KubeObject | null): void {
    const problems = schema.problems(object, live);
    if (problems.length > 0) throw invalid(kind, name, problems);
  }

  delete(kind: Kind, key: string, name: string, options: DeleteOptions): void {
    deleteObject(this.#state, kind, { key, name }, options);
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

function isNamespaceWithFinalizers({ kind, apiVersion, spec }: KubeObject): boolean {
  return (
    kind === 'Namespace' &&
    apiVersion === 'v1' &&
    isRecord(spec) &&
    Array.isArray(spec.finalizers) &&
    spec.finalizers.length > 0
  );
}
