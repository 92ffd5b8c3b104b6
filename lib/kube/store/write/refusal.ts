import { KubeError } from '../../error.ts';
import { pathForPeople } from '../apply/field-set.ts';
import { managerForPeople } from '../apply/managed-fields.ts';
import type { OwnedField } from '../apply/ownership.ts';
import { type Kind, nameForPeople } from '../kinds.ts';

/** Refusals in the API server's words. */

/** 404, `daemonsets.apps "calico-node" not found`. */
export function notFound(kind: Kind, name: string): KubeError {
  return new KubeError('not-found', `${nameForPeople(kind.resource, name)} not found`, { status: 404 });
}

/** 409 of a create, `namespaces "calico-system" already exists`. */
export function alreadyExists(kind: Kind, name: string): KubeError {
  return new KubeError('already-exists', `${nameForPeople(kind.resource, name)} already exists`, { status: 409 });
}

/** 400. `fields`: the paths that the message is about, for callers that show them. */
export function badRequest(message: string, fields: { field: string; message: string }[] = []): KubeError {
  return new KubeError('invalid', message, { status: 400, fields });
}

/** `Kind.group "name" is invalid: field: message` */
export function invalid(kind: Kind, name: string, problems: { field: string; message: string }[]): KubeError {
  const { group, kind: kindName } = kind.resource;
  const messages = problems.map(({ field, message }) => `${field}: ${message}`);
  const list = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  const title = group === '' ? kindName : `${kindName}.${group}`;
  return new KubeError('invalid', `${title} "${name}" is invalid: ${list}`, { status: 422, fields: problems });
}

/** 409 of an update, delete or patch: `Operation cannot be fulfilled on … : BECAUSE`. */
export function conflict(kind: Kind, name: string, because: string): KubeError {
  return new KubeError(
    'conflict',
    `Operation cannot be fulfilled on ${nameForPeople(kind.resource, name)}: ${because}`,
    {
      status: 409,
    },
  );
}

export const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** 409 for a UID or resourceVersion that is not the stored one (apiserver pkg/storage/interfaces.go). */
export function preconditionFailed(
  kind: Kind,
  name: string,
  what: 'UID' | 'ResourceVersion',
  wanted: string,
  is: string | undefined,
): KubeError {
  return conflict(
    kind,
    name,
    `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${is ?? ''}`,
  );
}

/** apimachinery pkg/util/managedfields/internal/conflict.go */
export function ownedByOthers(fields: readonly OwnedField[]): KubeError {
  const sorted = fields.toSorted((a, b) => (a.manager < b.manager ? -1 : a.manager > b.manager ? 1 : 0));
  const conflicts = sorted.map(({ manager, path }) => ({ ...managerForPeople(manager), field: pathForPeople(path) }));
  const detail = { status: 409, conflicts: conflicts.map(({ name, field }) => ({ manager: name, field })) };
  const [only] = conflicts;
  if (only && conflicts.length === 1) {
    return new KubeError(
      'conflict',
      `Apply failed with 1 conflict: conflict with ${only.description}: ${only.field}`,
      detail,
    );
  }
  const lines = [...Map.groupBy(conflicts, ({ description }) => description)].flatMap(([description, owned]) => [
    `conflicts with ${description}:`,
    ...owned.map(({ field }) => `- ${field}`),
  ]);
  return new KubeError('conflict', `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`, detail);
}
