import { KubeError } from '../../error.ts';
import type { KubeObject } from '../../object.ts';
import type { Kind } from '../kinds.ts';
import type { Findings } from '../schema/normalize.ts';
import { badRequest, conflict, invalid, modified, preconditionFailed } from './refusal.ts';
import { allowsUnconditionalUpdate } from './strategy.ts';
import type { Write } from './write-request.ts';

/** Throws a 400 unless the body has the apiVersion and kind of the path that it is sent to. */
export function requireIdentity(kind: Kind, apiVersion: string, body: KubeObject): void {
  if (body.apiVersion === apiVersion && body.kind === kind.resource.kind) return;
  throw badRequest(
    `the API version in the data (${body.apiVersion}) and kind (${body.kind}) do not match the expected ${apiVersion} and ${kind.resource.kind}`,
    [
      {
        field: body.kind === kind.resource.kind ? 'apiVersion' : 'kind',
        message: `expected ${kind.resource.kind} of ${apiVersion}`,
      },
    ],
  );
}

/** Throws a 400 if the body names another object than the path. Sets name and namespace in `updated` if they are missing. */
export function requireSameName({ name }: { name: string }, live: KubeObject, updated: KubeObject): void {
  const { name: given, namespace } = updated.metadata;
  if (given !== undefined && given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  updated.metadata.name = name;
  if (namespace !== undefined && namespace !== live.metadata.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (live.metadata.namespace !== undefined) updated.metadata.namespace = live.metadata.namespace;
}

/**
 * Compares UID and resourceVersion of the body with the stored object. Throws a 409 for another resourceVersion, and for another UID in a PUT; a 422
 * for another UID in a patch, and where the kind needs a resourceVersion and none is given.
 */
export function requirePreconditions(
  { kind, name }: { kind: Kind; name: string },
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

/** Throws a 422 for finalizers that are added to an object which is being deleted. */
export function requireOldFinalizers(
  { kind, name }: { kind: Kind; name: string },
  live: KubeObject,
  object: KubeObject,
): void {
  if (!live.metadata.deletionTimestamp) return;
  const old = new Set(live.metadata.finalizers);
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !old.has(finalizer));
  if (added.length === 0) return;
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  throw invalid(kind, name, [
    {
      field: 'metadata.finalizers',
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    },
  ]);
}

/** Throws for fields that the schema lacks, as `fieldValidation: Strict` does: a 400 for a body, a 422 for the result of a patch. */
export function refuseUnknown(unknown: Findings['unknown'], from: 'body' | 'patch'): never {
  const messages = unknown.map((field) => `unknown field "${field}"`).join(', ');
  const error = badRequest(
    `strict decoding error: ${messages}`,
    unknown.map((field) => ({ field, message: 'unknown field' })),
  );
  if (from === 'body') throw error;
  throw new KubeError('invalid', ` "" is invalid: patch: Invalid value: ${error.message}`, {
    status: 422,
    fields: error.detail.fields ?? [],
  });
}
