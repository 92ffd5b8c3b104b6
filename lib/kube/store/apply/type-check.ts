import { isRecord } from '#lib/base/records.ts';
import { type Atom, formFor, type ListAtom, type MapAtom, type Scalar, type TypeRef } from '../schema/atom.ts';
import { pathForPeople } from './field-set.ts';
import { elementOfItem } from './list-item.ts';
import { TypeMismatch } from './type-mismatch.ts';

/**
 * Values that do not fit the type, with their paths. structured-merge-diff typed/validate.go.
 * An applied object must not have a list item twice; a stored one may (`duplicates: 'allowed'`).
 */
export function mismatches(value: unknown, type: TypeRef, duplicates: 'allowed' | 'refused'): TypeMismatch[] {
  return check(value, formFor(type.atom, value), duplicates);
}

function check(value: unknown, atom: Atom, duplicates: 'allowed' | 'refused'): TypeMismatch[] {
  if (atom.map) return checkMap(value, atom.map, duplicates);
  if (atom.scalar) {
    const problem = scalarProblem(atom.scalar, value);
    return problem ? [new TypeMismatch(problem)] : [];
  }
  if (atom.list) return checkList(value, atom.list, duplicates);
  return [new TypeMismatch('schema error: invalid atom: inlined')];
}

function checkMap(value: unknown, map: MapAtom, duplicates: 'allowed' | 'refused'): TypeMismatch[] {
  if (value === null) return [];
  if (!isRecord(value)) return [new TypeMismatch(`expected map, got ${goValue(value)}`)];
  const found: TypeMismatch[] = [];
  for (const name of Object.keys(value)) {
    const type = map.fields.get(name)?.type ?? map.element;
    if (!type) {
      found.push(new TypeMismatch('field not declared in schema', `.${name}`));
      break;
    }
    for (const problem of mismatches(value[name], type, duplicates)) found.push(problem.below(`.${name}`));
  }
  return found;
}

function checkList(value: unknown, list: ListAtom, duplicates: 'allowed' | 'refused'): TypeMismatch[] {
  if (value === null) return [];
  if (!Array.isArray(value)) return [new TypeMismatch(`expected list, got ${goValue(value)}`)];
  const found: TypeMismatch[] = [];
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    // Most values fit, so the path is built only for those that do not.
    let pathOf = () => `[${index}]`;
    if (list.relationship === 'associative') {
      let element: string;
      try {
        element = elementOfItem(list, item);
      } catch (error) {
        if (error instanceof TypeMismatch) return [...found, new TypeMismatch(`element ${index}: ${error.message}`)];
        throw error;
      }
      pathOf = () => pathForPeople([element]);
      if (seen.has(element) && duplicates === 'refused')
        found.push(new TypeMismatch(`duplicate entries for key ${pathOf()}`));
      seen.add(element);
    }
    for (const problem of mismatches(item, list.element, duplicates)) found.push(problem.below(pathOf()));
  }
  return found;
}

function scalarProblem(scalar: Scalar, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' ? null : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string'
        ? null
        : `expected string, got &value.valueUnstructured{Value:${goValue(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? null : `expected boolean, got &{${goValue(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got ${goValue(value)}` : null;
  }
}

// Only for messages.
function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isRecord(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function goValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
