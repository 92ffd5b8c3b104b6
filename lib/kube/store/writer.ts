import { apiVersionOf, names } from '#lib/spec/index.ts';
import type { Clock } from '../clock.ts';
import { KubeError } from '../error.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import type { DeleteOptions, Patch, WriteOptions } from '../port.ts';
import type { Change } from './history.ts';
import { copy, equal, type Fields, isFields } from './json.ts';
import { jsonPatch } from './json-patch.ts';
import { type Kind, type KindRegistry, nameForPeople, parseApiVersion } from './kinds.ts';
import { mergePatch } from './merge-patch.ts';

/** What the writer works on: the objects of the store, and the things that only the server decides. */
export type StoreState = {
  readonly clock: Clock;
  readonly kinds: KindRegistry;
  read(kind: Kind, key: string): KubeObject | null;
  all(kind: Kind): ReadonlyMap<string, KubeObject>;
  commit(kind: Kind, key: string, type: Change['type'], object: KubeObject): void;
  nextRevision(): number;
  newUid(): string;
};

type Target = { namespace: string | undefined; name: string; options: WriteOptions };

export type Write =
  | (Target & { operation: 'create' | 'replace'; body: KubeObject })
  | (Target & { operation: 'apply'; body: KubeObject; force: boolean })
  | (Target & { operation: 'patch'; patch: Patch });

/** Every write of the port, in the order in which the API server does it: decode, merge, own, keep the server's fields, store. */
export class Writer {
  readonly #state: StoreState;

  constructor(state: StoreState) {
    this.#state = state;
  }

  write(kind: Kind, request: Write): KubeObject {
    const { options } = request;
    if (request.operation !== 'patch') requireKind(kind, request.body);
    if (kind.resource.namespaced && !request.namespace)
      throw invalid('metadata.namespace', 'an empty namespace may not be set here');
    const namespace = kind.resource.namespaced ? request.namespace : undefined;
    const name = request.operation === 'create' ? this.#nameFor(request.body) : request.name;
    if (name === '') throw invalid('metadata.name', 'name or generateName is required');
    const key = `${namespace ?? ''}/${name}`;
    const live = this.#state.read(kind, key);

    if (request.operation === 'create' && live) {
      throw new KubeError('already-exists', `${nameForPeople(kind.resource, name)} already exists`, { status: 409 });
    }
    if (!live && request.operation !== 'create' && (request.operation !== 'apply' || options.subresource)) {
      throw notFound(kind, name);
    }
    if (!live) {
      const body = request.operation === 'patch' ? unreachable() : request.body;
      return this.#create(kind, key, name, namespace, body, request);
    }
    return this.#update(kind, key, live, this.#merged(kind, live, request), request);
  }

  #merged(kind: Kind, live: KubeObject, request: Write): KubeObject {
    switch (request.operation) {
      case 'create':
      case 'replace':
        return copy(request.body);
      case 'apply':
        return mergePatch(live, request.body) as KubeObject;
      case 'patch': {
        const { patch } = request;
        const { managedFields: _, ...metadata } = live.metadata;
        const document = inVersion({ ...live, metadata }, kind);
        const result =
          patch.type === 'merge' ? mergePatch(document, patch.body) : jsonPatch(document, patch.operations);
        if (!isFields(result) || !isFields(result.metadata)) throw invalid('', 'the patch leaves no object');
        const merged = result as KubeObject;
        if (patch.type === 'merge' && patch.resourceVersion !== undefined)
          merged.metadata.resourceVersion = patch.resourceVersion;
        return merged;
      }
    }
  }

  #create(
    kind: Kind,
    key: string,
    name: string,
    namespace: string | undefined,
    body: KubeObject,
    request: Write,
  ): KubeObject {
    const object = copy(body);
    const now = this.#now();
    if (object.metadata.resourceVersion)
      throw invalid('metadata.resourceVersion', 'resourceVersion should not be set on objects to be created');
    object.metadata = {
      ...object.metadata,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: this.#state.newUid(),
      creationTimestamp: now,
    };
    delete object.metadata.managedFields;
    delete object.metadata.deletionTimestamp;
    if (kind.subresources.includes('status')) delete object.status;
    if (hasGeneration(kind)) object.metadata.generation = 1;
    object.metadata.managedFields = [this.#entry(kind, request)];
    if (request.options.dryRun) return object;
    object.metadata.resourceVersion = String(this.#state.nextRevision());
    this.#state.commit(kind, key, 'added', object);
    return object;
  }

  #update(kind: Kind, key: string, live: KubeObject, merged: KubeObject, request: Write): KubeObject {
    const { options } = request;
    const name = request.name;
    const wanted = merged.metadata;
    if (wanted.resourceVersion && wanted.resourceVersion !== live.metadata.resourceVersion) throw modified(kind, name);
    if (wanted.uid && wanted.uid !== live.metadata.uid) {
      throw new KubeError(
        'conflict',
        `Precondition failed: UID in precondition: ${wanted.uid}, UID in object meta: ${live.metadata.uid}`,
        { status: 409 },
      );
    }
    const object = this.#withServerFields(kind, live, merged, options);
    const meta = object.metadata;
    const comparable = (value: KubeObject) => ({
      ...value,
      metadata: { ...value.metadata, managedFields: [], resourceVersion: '' },
    });
    if (equal(comparable(object), comparable(live))) return inVersion(live, kind);
    meta.managedFields = this.#own(kind, live, request);
    if (options.dryRun) return object;
    meta.resourceVersion = String(this.#state.nextRevision());
    const finished = meta.deletionTimestamp !== undefined && (meta.finalizers ?? []).length === 0;
    this.#state.commit(kind, key, finished ? 'deleted' : 'modified', object);
    return object;
  }

  /** What no client decides: identity, the part that belongs to the other endpoint, the generation. */
  #withServerFields(kind: Kind, live: KubeObject, merged: KubeObject, options: WriteOptions): KubeObject {
    const object: KubeObject =
      options.subresource === 'status'
        ? { ...copy(live), ...('status' in merged ? { status: merged.status } : {}) }
        : { ...merged, metadata: { ...merged.metadata } };
    if (options.subresource !== 'status' && kind.subresources.includes('status')) {
      if ('status' in live) object.status = copy(live.status);
      else delete object.status;
    }
    const meta = object.metadata;
    for (const field of [
      'name',
      'namespace',
      'uid',
      'creationTimestamp',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
      'generation',
      'resourceVersion',
      'managedFields',
    ] as const) {
      keep(meta, live.metadata, field);
    }
    if (hasGeneration(kind) && !equal(withoutBookkeeping(object, kind), withoutBookkeeping(live, kind))) {
      meta.generation = (live.metadata.generation ?? 0) + 1;
    }
    return object;
  }

  delete(kind: Kind, key: string, options: DeleteOptions, name: string): void {
    const live = this.#state.read(kind, key);
    if (!live) throw notFound(kind, name);
    if (options.uid !== undefined && options.uid !== live.metadata.uid) {
      throw new KubeError(
        'conflict',
        `Operation cannot be fulfilled on ${nameForPeople(kind.resource, name)}: Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${live.metadata.uid}`,
        { status: 409 },
      );
    }
    if (options.resourceVersion !== undefined && options.resourceVersion !== live.metadata.resourceVersion) {
      throw new KubeError(
        'conflict',
        `Operation cannot be fulfilled on ${nameForPeople(kind.resource, name)}: Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${live.metadata.resourceVersion}`,
        { status: 409 },
      );
    }
    if (options.dryRun) return;
    const object = copy(live);
    if ((live.metadata.finalizers ?? []).length === 0) {
      object.metadata.resourceVersion = String(this.#state.nextRevision());
      this.#state.commit(kind, key, 'deleted', object);
      return;
    }
    if (live.metadata.deletionTimestamp) return;
    object.metadata.deletionTimestamp = this.#now();
    object.metadata.deletionGracePeriodSeconds = 0;
    if (object.metadata.generation) object.metadata.generation += 1;
    object.metadata.resourceVersion = String(this.#state.nextRevision());
    this.#state.commit(kind, key, 'modified', object);
  }

  async settled(): Promise<void> {}

  #own(kind: Kind, live: KubeObject, request: Write) {
    const entry = this.#entry(kind, request);
    const others = (live.metadata.managedFields ?? []).filter(
      (other) =>
        other.manager !== entry.manager ||
        other.operation !== entry.operation ||
        other.subresource !== entry.subresource,
    );
    return [...others, entry];
  }

  #entry(kind: Kind, request: Write) {
    return {
      manager: request.options.fieldManager ?? names.fieldManager,
      operation: request.operation === 'apply' ? ('Apply' as const) : ('Update' as const),
      apiVersion: apiVersionOf(kind.resource),
      time: this.#now(),
      fieldsType: 'FieldsV1' as const,
      fieldsV1: {},
      ...(request.options.subresource ? { subresource: request.options.subresource } : {}),
    };
  }

  #nameFor(body: KubeObject): string {
    if (body.metadata.name) return body.metadata.name;
    const { generateName } = body.metadata;
    return generateName ? `${generateName}${this.#state.newUid().slice(0, 5)}` : '';
  }

  #now(): string {
    return `${new Date(this.#state.clock.now()).toISOString().slice(0, 19)}Z`;
  }
}

function keep(target: ObjectMeta, source: ObjectMeta, field: keyof ObjectMeta): void {
  if (source[field] === undefined) delete target[field];
  else target[field] = source[field];
}

function hasGeneration(kind: Kind): boolean {
  if (kind.origin !== 'builtin') return true;
  return ['apps', 'networking.k8s.io', 'apiextensions.k8s.io'].includes(kind.resource.group);
}

function withoutBookkeeping(object: KubeObject, kind: Kind): Fields {
  const { metadata: _, status, ...rest } = object;
  return kind.subresources.includes('status') || status === undefined ? rest : { ...rest, status };
}

function inVersion(object: KubeObject, kind: Kind): KubeObject {
  return { ...object, apiVersion: apiVersionOf(kind.resource) };
}

function requireKind(kind: Kind, body: KubeObject): void {
  const { group, version } = parseApiVersion(body.apiVersion ?? '');
  if (group !== kind.resource.group || !kind.versions.includes(version) || body.kind !== kind.resource.kind) {
    throw invalid(
      'apiVersion',
      `the object is a ${body.kind} of ${body.apiVersion}, but ${kind.resource.kind} of ${apiVersionOf(kind.resource)} is written here`,
    );
  }
}

function invalid(field: string, message: string): KubeError {
  return new KubeError('invalid', `${field}: ${message}`, { status: 422, fields: [{ field, message }] });
}

function notFound(kind: Kind, name: string): KubeError {
  return new KubeError('not-found', `${nameForPeople(kind.resource, name)} not found`, { status: 404 });
}

function modified(kind: Kind, name: string): KubeError {
  return new KubeError(
    'conflict',
    `Operation cannot be fulfilled on ${nameForPeople(kind.resource, name)}: the object has been modified; please apply your changes to the latest version and try again`,
    { status: 409 },
  );
}

function unreachable(): never {
  throw new KubeError('server', 'A patch reached the creation of an object.');
}
