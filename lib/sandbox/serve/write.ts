import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import {
  type DeleteOptions,
  isKubeError,
  type JsonPatchOperation,
  type Kube,
  KubeError,
  type KubeObject,
  type ObjectRef,
  type PatchType,
  patchTypeOf,
  type WriteOptions,
} from '#lib/kube/index.ts';
import { bodyOf, isFields, objectIn } from './body.ts';
import { strategicMerge } from './strategic-merge.ts';
import type { Target } from './target.ts';

export type WriteResponse = { status: number; body: unknown };

/** Handles POST, PUT, PATCH and DELETE on one object or into one collection. Throws KubeError, `unsupported` for what the store does not model. */
export async function write(
  kube: Kube,
  target: Target,
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<WriteResponse> {
  const { resource, namespace, name } = target;
  const body = await bodyOf(request);
  if (request.method === 'POST' && name === null) {
    const object = placed(objectIn(body), target);
    return { status: 201, body: await kube.create(resource, object, writeOptions(target, request, query)) };
  }
  if (name === null) throw notModelled(target, request);
  const ref = { resource, name, ...(namespace === undefined ? {} : { namespace }) };
  switch (request.method) {
    case 'PUT':
      return ok(await kube.replace(resource, placed(objectIn(body), target), writeOptions(target, request, query)));
    case 'PATCH':
      return ok(await patch(kube, target, request, query, body));
    case 'DELETE': {
      if (target.subresource !== null) throw notModelled(target, request);
      const before = await kube.get(ref);
      await kube.delete(ref, deleteOptions(body, query));
      return ok({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name, group: resource.group, kind: resource.plural, uid: before?.metadata.uid },
      });
    }
    default:
      throw notModelled(target, request);
  }
}

async function patch(
  kube: Kube,
  target: Target,
  request: IncomingMessage,
  query: URLSearchParams,
  body: unknown,
): Promise<KubeObject> {
  const { resource, namespace } = target;
  const options = writeOptions(target, request, query);
  const ref = { resource, name: target.name ?? '', ...(namespace === undefined ? {} : { namespace }) };
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim();
  switch (type) {
    case 'application/apply-patch+yaml':
      return kube.apply(resource, placed(objectIn(body), target), { ...options, force: query.get('force') === 'true' });
    case 'application/merge-patch+json':
      if (!isFields(body)) throw badPatch('a merge patch is an object');
      return kube.patch(ref, { type: 'merge', body }, options);
    case 'application/json-patch+json': {
      const operations = operationsSchema.safeParse(body);
      if (!operations.success) throw badPatch('a JSON patch is a list of operations');
      return kube.patch(ref, { type: 'json', operations: operations.data as JsonPatchOperation[] }, options);
    }
    case 'application/strategic-merge-patch+json':
      if (!isFields(body)) throw badPatch('a strategic merge patch is an object');
      return patchStrategically(kube, ref, { patch: body, type: patchTypeOf(resource.group, resource.kind) }, options);
    default:
      throw new KubeError('invalid', `The sandbox takes no patch of the type ${type}.`, { status: 415 });
  }
}

/** The store does not model it, so the whole object is replaced, and read again if another write came between. */
async function patchStrategically(
  kube: Kube,
  ref: ObjectRef,
  { patch, type }: { patch: Record<string, unknown>; type: PatchType },
  options: WriteOptions,
): Promise<KubeObject> {
  for (let tries = 1; ; tries++) {
    const live = await kube.get(ref);
    if (!live) throw new KubeError('not-found', `${ref.resource.plural} "${ref.name}" not found`);
    const merged = objectIn(strategicMerge(live, patch, type));
    try {
      return await kube.replace(ref.resource, merged, options);
    } catch (error) {
      const isOurs = merged.metadata.resourceVersion === live.metadata.resourceVersion;
      if (!isOurs || tries >= mostTries || !isKubeError(error, 'conflict')) throw error;
    }
  }
}

const mostTries = 5;

const operationsSchema = z.array(
  z.object({
    op: z.enum(['add', 'remove', 'replace', 'test', 'move', 'copy']),
    path: z.string(),
    from: z.string().optional(),
    value: z.unknown(),
  }),
);

/** Name and namespace come from the path if the body has none; otherwise they must agree. */
function placed(object: KubeObject, { name, namespace, resource }: Target): KubeObject {
  const { metadata } = object;
  if (name !== null && metadata.name !== undefined && metadata.name !== name)
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  if (namespace !== undefined && (metadata.namespace ?? namespace) !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(name === null ? {} : { name }),
      ...(resource.namespaced && namespace !== undefined ? { namespace } : {}),
    },
  };
}

/** The field manager is the given one, or the program's name in the User-Agent, as in the API server. */
function writeOptions({ subresource }: Target, request: IncomingMessage, query: URLSearchParams): WriteOptions {
  const validation = query.get('fieldValidation');
  if (subresource !== null && subresource !== 'status')
    throw new KubeError('unsupported', `The sandbox does not model ${subresource}.`);
  return {
    fieldManager: query.get('fieldManager') ?? request.headers['user-agent']?.split('/', 1)[0] ?? 'unknown',
    fieldValidation: validation === 'Strict' || validation === 'Ignore' ? validation : 'Warn',
    ...(query.get('dryRun') === 'All' ? { dryRun: 'all' } : {}),
    ...(subresource === null ? {} : { subresource }),
  };
}

const deleteSchema = z.object({
  preconditions: z.object({ uid: z.string().nullish(), resourceVersion: z.string().nullish() }).nullish(),
  propagationPolicy: z.enum(['Background', 'Foreground', 'Orphan']).nullish(),
  dryRun: z.array(z.string()).nullish(),
});

function deleteOptions(body: unknown, query: URLSearchParams): DeleteOptions {
  const options = deleteSchema.safeParse({
    ...(query.get('propagationPolicy') === null ? {} : { propagationPolicy: query.get('propagationPolicy') }),
    ...(query.get('dryRun') === null ? {} : { dryRun: query.getAll('dryRun') }),
    ...(isFields(body) ? body : {}),
  });
  if (!options.success) throw badRequest('the body is not DeleteOptions');
  const { preconditions, propagationPolicy, dryRun } = options.data;
  return {
    ...(preconditions?.uid ? { uid: preconditions.uid } : {}),
    ...(preconditions?.resourceVersion ? { resourceVersion: preconditions.resourceVersion } : {}),
    ...(propagationPolicy ? { propagation: propagationPolicy } : {}),
    ...(dryRun?.includes('All') ? { dryRun: 'all' } : {}),
  };
}

const ok = (body: unknown): WriteResponse => ({ status: 200, body });

function badPatch(because: string): KubeError {
  return badRequest(`the patch cannot be read: ${because}`);
}

function badRequest(message: string): KubeError {
  return new KubeError('invalid', message, { status: 400 });
}

function notModelled({ resource, subresource }: Target, { method }: IncomingMessage): KubeError {
  return new KubeError(
    'unsupported',
    `The sandbox does not model ${method} on ${resource.plural}${subresource ? `/${subresource}` : ''}.`,
  );
}
