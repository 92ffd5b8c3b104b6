import { type Fields, isRecord, same } from '#lib/base/records.ts';
import { KubeError } from '../../error.ts';
import type { JsonPatchOperation } from '../../port.ts';
import { copy, define } from '../json.ts';

/**
 * JSON Patch, RFC 6902, with pointers of RFC 6901. `document` is not changed.
 * An operation that does not fit the document is `invalid` (422), as from the API server. Like its library (evanphx/json-patch 4), this is
 * laxer than the RFC: `replace` sets an absent member, `test` reads an absent member as null, and a negative index counts from the end.
 */
export function jsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const holder: Fields = { root: copy(document) };
  for (const operation of operations) applyOperation(holder, operation);
  return holder.root;
}

function applyOperation(holder: Fields, operation: JsonPatchOperation): void {
  switch (operation.op) {
    case 'add':
      add(holder, operation.path, copy(operation.value));
      return;
    case 'remove':
      remove(holder, operation.path);
      return;
    case 'replace': {
      const at = locate(holder, operation.path);
      if (Array.isArray(at.parent)) at.parent[indexOf(at.parent, at.key, operation.path)] = copy(operation.value);
      else define(at.parent, at.key, copy(operation.value));
      return;
    }
    case 'move': {
      const from = fromOf(operation);
      if (operation.path.startsWith(`${from}/`)) refuse(operation.path, `cannot move ${from} into itself`);
      add(holder, operation.path, remove(holder, from));
      return;
    }
    case 'copy': {
      const from = fromOf(operation);
      add(holder, operation.path, copy(read(locate(holder, from), from)));
      return;
    }
    case 'test': {
      const at = locate(holder, operation.path);
      const absent = !Array.isArray(at.parent) && !Object.hasOwn(at.parent, at.key);
      const value = absent ? null : read(at, operation.path);
      if (!same(value, operation.value ?? null)) refuse(operation.path, `testing value ${operation.path} failed`);
      return;
    }
  }
}

type Location = { parent: Fields; key: string } | { parent: unknown[]; key: string };

function fromOf(operation: JsonPatchOperation): string {
  if (operation.from === undefined) refuse(operation.path, `operation ${operation.op} needs "from"`);
  return operation.from;
}

function locate(holder: Fields, pointer: string): Location {
  if (pointer !== '' && !pointer.startsWith('/'))
    refuse(pointer, `"${pointer}" is not a JSON pointer: it must start with /`);
  const tokens = [
    'root',
    ...pointer
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')),
  ];
  let parent: unknown = holder;
  for (const token of tokens.slice(0, -1)) parent = child(parent, token, pointer);
  const key = tokens.at(-1) ?? 'root';
  if (Array.isArray(parent) || isRecord(parent)) return { parent, key } as Location;
  return refuse(pointer, `${pointer}: its parent is neither an object nor a list`);
}

function child(parent: unknown, token: string, pointer: string): unknown {
  if (Array.isArray(parent)) return parent[indexOf(parent, token, pointer)];
  if (isRecord(parent) && Object.hasOwn(parent, token)) return parent[token];
  return refuse(pointer, `${pointer}: there is no "${token}"`);
}

function read(at: Location, pointer: string): unknown {
  return child(at.parent, at.key, pointer);
}

function add(holder: Fields, pointer: string, value: unknown): void {
  const at = locate(holder, pointer);
  if (!Array.isArray(at.parent)) {
    define(at.parent, at.key, value);
    return;
  }
  const index = at.key === '-' ? at.parent.length : indexOf(at.parent, at.key, pointer, 'end-allowed');
  at.parent.splice(index, 0, value);
}

function remove(holder: Fields, pointer: string): unknown {
  const at = locate(holder, pointer);
  const value = read(at, pointer);
  if (Array.isArray(at.parent)) at.parent.splice(indexOf(at.parent, at.key, pointer), 1);
  else delete at.parent[at.key];
  return value;
}

function indexOf(list: unknown[], token: string, pointer: string, end?: 'end-allowed'): number {
  const size = end ? list.length + 1 : list.length;
  const given = /^[+-]?\d+$/.test(token) ? Number(token) : Number.NaN;
  const index = given < 0 ? given + size : given;
  if (Number.isNaN(index) || index < 0 || index >= size) {
    refuse(pointer, `${pointer}: "${token}" is not an index of a list of ${list.length}`);
  }
  return index;
}

function refuse(field: string, message: string): never {
  throw new KubeError('invalid', `The JSON patch does not fit the object: ${message}.`, {
    status: 422,
    fields: [{ field, message }],
  });
}
