import { names, type Resource } from '#lib/spec/index.ts';
import { isKubeError } from '../error.ts';
import type { KubeObject } from '../object.ts';
import type { ApplyOptions, DeleteOptions, ObjectRef, Patch, WriteOptions } from '../port.ts';
import type { Connection } from './connection.ts';
import { asObject } from './parse.ts';
import { creationPath, invalid, objectPath, withQuery } from './target.ts';
import type { Call } from './wire/call.ts';

/** POST of an object, or of its subresource. Rejects with `already-exists` and as every call of `Kube`. */
export async function createObject(
  connection: Connection,
  resource: Resource,
  object: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const { namespace, name } = object.metadata;
  const path =
    options.subresource === undefined
      ? creationPath(resource, namespace)
      : objectPath(resource, namespace, needName(object), options.subresource);
  return write(connection, 'POST', path, { verb: 'create', resource, namespace, name }, object, options);
}

/** Server-side apply (PATCH with apply-patch+yaml). Rejects with `conflict` if another manager owns a field and `force` is not set. */
export async function applyObject(
  connection: Connection,
  resource: Resource,
  object: KubeObject,
  options: ApplyOptions,
): Promise<KubeObject> {
  const { namespace } = object.metadata;
  const name = needName(object);
  const path = objectPath(resource, namespace, name, options.subresource);
  return write(connection, 'PATCH', path, { verb: 'patch', resource, namespace, name }, object, options, {
    contentType: 'application/apply-patch+yaml',
    query: { force: options.force },
  });
}

/** PUT of a whole object. Rejects with `conflict` if its resourceVersion is not the stored one. */
export async function replaceObject(
  connection: Connection,
  resource: Resource,
  object: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const { namespace } = object.metadata;
  const name = needName(object);
  const path = objectPath(resource, namespace, name, options.subresource);
  return write(connection, 'PUT', path, { verb: 'update', resource, namespace, name }, object, options);
}

/** PATCH with a merge patch (RFC 7386) or a JSON patch (RFC 6902). */
export async function patchObject(
  connection: Connection,
  { resource, namespace, name }: ObjectRef,
  patch: Patch,
  options: WriteOptions,
): Promise<KubeObject> {
  const path = objectPath(resource, namespace, name, options.subresource);
  return write(connection, 'PATCH', path, { verb: 'patch', resource, namespace, name }, bodyOf(patch), options, {
    contentType: patch.type === 'merge' ? 'application/merge-patch+json' : 'application/json-patch+json',
  });
}

/** DELETE. `uid` and `resourceVersion` are preconditions: if the stored object has others, it stays, and this rejects with `conflict`. */
export async function deleteObject(
  connection: Connection,
  { resource, namespace, name }: ObjectRef,
  options: DeleteOptions,
): Promise<void> {
  const { uid, resourceVersion } = options;
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  await connection.text({
    method: 'DELETE',
    effect: effectOf(options),
    path: objectPath(resource, namespace, name),
    rule: ruleOf({ verb: 'delete', resource, namespace, name }, undefined),
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
      ...(options.propagation === undefined ? {} : { propagationPolicy: options.propagation }),
      ...(options.dryRun === undefined ? {} : { dryRun: ['All'] }),
    },
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  });
}

/** Null if the object, or its whole kind, does not exist (404). Rejects with a KubeError for every other failure. */
export async function getObject(
  connection: Connection,
  { resource, namespace, name }: ObjectRef,
  options: { signal?: AbortSignal; timeoutMs?: number },
): Promise<KubeObject | null> {
  try {
    const call: Call = {
      method: 'GET',
      path: objectPath(resource, namespace, name),
      rule: ruleOf({ verb: 'get', resource, namespace, name }, undefined),
      signal: options.signal,
      timeoutMs: options.timeoutMs,
    };
    return asObject(await connection.json(call));
  } catch (error) {
    // 404 alone: an aggregated API whose backend is away (503) is `not-served` too, but says nothing about the object.
    if (isKubeError(error, 'not-found', 'not-served') && error.detail.status === 404) return null;
    throw error;
  }
}

type Target = { verb: string; resource: Resource; namespace: string | undefined; name: string | undefined };

async function write(
  connection: Connection,
  method: Call['method'],
  path: string,
  target: Target,
  body: unknown,
  options: WriteOptions,
  how: { contentType?: string; query?: Record<string, boolean | undefined> } = {},
): Promise<KubeObject> {
  const answer = await connection.json({
    method,
    effect: effectOf(options),
    path: withQuery(path, {
      fieldManager: options.fieldManager ?? names.fieldManager,
      fieldValidation: options.fieldValidation ?? 'Strict',
      dryRun: options.dryRun === undefined ? undefined : 'All',
      ...how.query,
    }),
    rule: ruleOf(target, options.subresource),
    body,
    ...(how.contentType === undefined ? {} : { contentType: how.contentType }),
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  });
  return asObject(answer);
}

function effectOf({ dryRun }: Pick<WriteOptions, 'dryRun'>): Call['effect'] {
  return dryRun === undefined ? undefined : 'none';
}

function ruleOf({ verb, resource, namespace, name }: Target, subresource: string | undefined) {
  return {
    verb,
    group: resource.group,
    resource: resource.plural,
    ...(subresource === undefined ? {} : { subresource }),
    ...(resource.namespaced && namespace !== undefined ? { namespace } : {}),
    // RBAC rules cannot name an object that is being created.
    ...(name === undefined || (verb === 'create' && subresource === undefined) ? {} : { name }),
  };
}

/** A merge patch is conditional if its body has the resourceVersion; there is no header for it. */
function bodyOf(patch: Patch): unknown {
  if (patch.type === 'json') return patch.operations;
  if (patch.resourceVersion === undefined) return patch.body;
  const { metadata } = patch.body;
  const given = typeof metadata === 'object' && metadata !== null ? metadata : {};
  return { ...patch.body, metadata: { ...given, resourceVersion: patch.resourceVersion } };
}

function needName(object: KubeObject): string {
  if (object.metadata.name === undefined) throw invalid('metadata.name', 'it is needed to name the object.');
  return object.metadata.name;
}
