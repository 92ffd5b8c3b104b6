import { KubeError } from '../../error.ts';
import type { KubeObject, ObjectMeta } from '../../object.ts';
import { undeclaredFields } from '../../undeclared-fields.ts';
import { applyManaged, NotTyped } from '../apply/managed-fields.ts';
import { OwnershipConflict } from '../apply/ownership.ts';
import { copy } from '../json.ts';
import type { KindSchema } from '../schema/kind-schema.ts';
import { badRequest, invalid, ownedByOthers } from './refusal.ts';
import { refuseUnknown } from './requirements.ts';
import type { WriteContext } from './write-request.ts';

/** The object that a body or the result of a patch stands for, with its defaults. Throws as the server refuses what it cannot decode. */
export function decodedObject(context: WriteContext, given: KubeObject, from: 'body' | 'patch'): KubeObject {
  const { kind, name, schema, options } = context;
  const { object, unknown, wrong } = schema.decode(given);
  if (wrong.length > 0) {
    const message = wrong.map(({ field, message: reason }) => `${field}: ${reason}`).join(', ');
    if (from === 'patch') throw invalid(kind, name, [{ field: 'patch', message }]);
    throw badRequest(message, wrong);
  }
  if ((options.fieldValidation ?? 'Strict') === 'Strict' && unknown.length > 0) refuseUnknown(unknown, from);
  schema.setDefaults(object);
  return object;
}

/** Result of a server-side apply with its entries; null when nothing at all changes. */
export function appliedObject(
  context: WriteContext,
  live: KubeObject | null,
  body: KubeObject,
  force: boolean,
): KubeObject | null {
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
      throw new KubeError('invalid', error.message, { status: 500, fields: undeclaredFields(error.message) });
    }
    throw error;
  }
}

/** As it reads after one turn through etcd: normalised, and defaulted once more. */
export function storedObject({ schema }: WriteContext, object: KubeObject): KubeObject {
  const stored = schema.decode(object).object;
  schema.setDefaults(stored);
  return stored;
}

/** What the schema writes as the status of an object that has none; undefined where it writes nothing. */
export function emptyStatusOf(schema: KindSchema, { apiVersion, kind }: KubeObject): unknown {
  const empty = schema.decode({ apiVersion, kind, metadata: {} }).object;
  schema.setDefaults(empty);
  return empty.status;
}

/** The metadata with these managedFields in place of its own; without any for `undefined`. */
export function withManagedFields(metadata: ObjectMeta, managedFields: ObjectMeta['managedFields']): ObjectMeta {
  const { managedFields: _, ...rest } = metadata;
  return managedFields ? { ...rest, managedFields } : rest;
}
