import { type Fields, isRecord } from '#lib/base/records.ts';

/**
 * Sets of field paths, as `managedFields` records who owns what: structured-merge-diff's fieldpath.Set (v6.3.3).
 *
 * A path element is kept in its FieldsV1 form, which is canonical and therefore comparable as text:
 * `f:name` a field, `k:{"name":"x"}` a list item by its keys, `v:"x"` a member of a set, `i:0` an index.
 * `children` are the sets below an element; an element with children is not thereby a member. Sets are immutable.
 */
export type FieldSet = { readonly members: ReadonlySet<string>; readonly children: ReadonlyMap<string, FieldSet> };

export type FieldPath = readonly string[];

/** A set that is being built. */
export class FieldSetBuilder implements FieldSet {
  readonly members = new Set<string>();
  readonly children = new Map<string, FieldSetBuilder>();

  /** The empty path is the whole object, which no manager owns, so it is ignored. */
  insert(path: FieldPath): void {
    let at: FieldSetBuilder = this;
    path.forEach((element, index) => {
      if (index === path.length - 1) at.members.add(element);
      else at = at.descend(element);
    });
  }

  descend(element: string): FieldSetBuilder {
    let child = this.children.get(element);
    if (!child) {
      child = new FieldSetBuilder();
      this.children.set(element, child);
    }
    return child;
  }
}

/** The set with these paths as its members. */
export function setOf(...paths: FieldPath[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder;
}

/** Whether a set has no member at any depth; elements that only lead to empty sets do not count. */
export function isEmpty(set: FieldSet): boolean {
  if (set.members.size > 0) return false;
  for (const child of set.children.values()) if (!isEmpty(child)) return false;
  return true;
}

/** Members of `a` or `b` (fieldpath.Set.Union). `a` and `b` stay unchanged. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map(a.children);
  for (const [element, child] of b.children) {
    const mine = children.get(element);
    children.set(element, mine ? union(mine, child) : child);
  }
  return { members: a.members.union(b.members), children };
}

/** Members of both `a` and `b` (fieldpath.Set.Intersection). A member of one does not count for members below it in the other. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    const both = other && intersection(child, other);
    if (both && !isEmpty(both)) children.set(element, both);
  }
  return { members: a.members.intersection(b.members), children };
}

/** Members of `a` that are not members of `b`. A member of `b` does not remove members below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    const rest = other ? difference(child, other) : child;
    if (!other || !isEmpty(rest)) children.set(element, rest);
  }
  return { members: a.members.difference(b.members), children };
}

/** Like `difference`, but a member of `b` also removes all members below it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, child] of a.children) {
    if (b.members.has(element)) continue;
    const other = b.children.get(element);
    const rest = other ? recursiveDifference(child, other) : child;
    if (!other || !isEmpty(rest)) children.set(element, rest);
  }
  return { members: a.members.difference(b.members), children };
}

/** Whether both have the same members; elements that only lead to empty sets do not count. */
export function sameSet(a: FieldSet, b: FieldSet): boolean {
  return isEmpty(difference(a, b)) && isEmpty(difference(b, a));
}

/** The paths of all members, in the order in which the server prints them: members of a level before those below. */
export function pathsOf(set: FieldSet, prefix: FieldPath = []): FieldPath[] {
  const paths: FieldPath[] = [...set.members].sort(byElement).map((element) => [...prefix, element]);
  for (const [element, child] of [...set.children].sort(([a], [b]) => byElement(a, b))) {
    paths.push(...pathsOf(child, [...prefix, element]));
  }
  return paths;
}

// Fields come before keys, keys before values, values before indexes.
const rank = 'fkvi';

function byElement(a: string, b: string): number {
  const byRank = rank.indexOf(a.charAt(0)) - rank.indexOf(b.charAt(0));
  if (byRank !== 0) return byRank;
  if (a.startsWith('v:') && b.startsWith('v:')) {
    const [left, right] = [JSON.parse(a.slice(2)), JSON.parse(b.slice(2))];
    if (typeof left === 'number' && typeof right === 'number') return left - right;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `.spec.containers[name="x"].image`: the form in which conflicts name a field. */
export function pathForPeople(path: FieldPath): string {
  return path.map(elementForPeople).join('');
}

function elementForPeople(element: string): string {
  const text = element.slice(2);
  if (element.startsWith('f:')) return `.${text}`;
  if (element.startsWith('i:')) return `[${text}]`;
  if (element.startsWith('v:')) return `[=${valueForPeople(JSON.parse(text))}]`;
  const key: unknown = JSON.parse(text);
  const parts = isRecord(key) ? Object.entries(key).map(([name, value]) => `${name}=${valueForPeople(value)}`) : [];
  return `[${parts.join(',')}]`;
}

function valueForPeople(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** The path element of a field by its name. */
export const fieldElement = (name: string): string => `f:${name}`;
/** The path element of a member of a set (`x-kubernetes-list-type: set`), which is its value. */
export const valueElement = (value: unknown): string => `v:${goJson(value)}`;

/** The path element of a list item (`x-kubernetes-list-type: map`): its keys with their values, sorted by name, as in FieldsV1. */
export function keyElement(keys: readonly (readonly [string, unknown])[]): string {
  const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `k:{${sorted.map(([name, value]) => `${goJson(name)}:${goJson(value)}`).join(',')}}`;
}

/** JSON as Go's encoder writes it: `<`, `>`, `&` and the two Unicode line separators are escaped. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Converts to FieldsV1: `.` marks a member with children; an empty object is a member without children. */
export function toFieldsV1(set: FieldSet): Fields {
  const out: Fields = {};
  const elements = new Set([...set.members, ...set.children.keys()]);
  for (const element of [...elements].sort(byElement)) {
    const child = set.children.get(element);
    const below = child ? toFieldsV1(child) : {};
    out[element] = child && set.members.has(element) && !isEmpty(child) ? { '.': {}, ...below } : below;
  }
  return out;
}

/** Elements of an unknown type are dropped, as the server does. */
export function fromFieldsV1(fields: Readonly<Fields>): FieldSet {
  const builder = new FieldSetBuilder();
  read(fields, builder);
  return builder;
}

function read(fields: Readonly<Fields>, into: FieldSetBuilder): void {
  for (const [element, below] of Object.entries(fields)) {
    if (!/^[fkvi]:/.test(element) || !isRecord(below)) continue;
    const names = Object.keys(below);
    if (names.length === 0 || names.includes('.')) into.members.add(element);
    if (names.some((name) => name !== '.')) read(below, into.descend(element));
  }
}
