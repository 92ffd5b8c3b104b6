import type { KubeObject } from '#lib/kube/index.ts';

/** A dump as it is written to a file: objects, and the kinds of which it says that there are none. */
export type DumpOf = { readonly objects: readonly KubeObject[]; readonly emptyKinds: readonly Kind[] };
export type Kind = { readonly apiVersion: string; readonly kind: string };

/** What was done to a dump. `path` in dots; `everywhere`: in every object of the kind that has it. */
export type Mutation =
  | { readonly do: 'remove-kind'; readonly kind: string }
  | { readonly do: 'remove-field'; readonly kind: string; readonly path: string; readonly everywhere: boolean }
  | {
      readonly do: 'nonsense';
      readonly kind: string;
      readonly path: string;
      readonly everywhere: boolean;
      readonly value: string;
    };

type Next = () => number;

/** The same numbers for the same seed (a linear congruence; its low bits are poor and are dropped). */
export function numbersFrom(seed: number): Next {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

const huge = 'x'.repeat(200_000);

/** What stands in the place of a value, and what a failure calls it. */
const junk: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['0', 0],
  ['-1', -1],
  ['1e308', 1e308],
  ['true', true],
  ['empty text', ''],
  ['200 kB of text', huge],
  ['an empty list', []],
  ['an empty map', {}],
  ['lists of lists', [[[[]]]]],
  ['a deep map', { a: { b: { c: {} } } }],
  ['__proto__', JSON.parse('{"__proto__":{"polluted":true}}')],
  ['control characters', '\u0000\u001b[31m\u202e<b>'],
  ['a list of null', [null]],
];

/** Kind with its group; a Calico kind and its twin in the datastore's group are one, as checks.md › Coverage has it. */
export function kindOf({ apiVersion, kind }: Kind): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return `${kind}.${group.replace(/^crd\./, '')}`;
}

/** One mutation: a kind first, then where in it, so that the few objects that decide are hit as often as the many pods. */
export function mutated(dump: DumpOf, next: Next): { dump: DumpOf; mutation: Mutation } {
  const byKind = Map.groupBy(dump.objects, kindOf);
  const kinds = [...new Set([...byKind.keys(), ...dump.emptyKinds.map(kindOf)])].sort();
  const kind = pick(kinds, next);
  const own = byKind.get(kind) ?? [];
  if (own.length === 0 || next() % 6 === 0) {
    return { dump: withoutKind(dump, kind), mutation: { do: 'remove-kind', kind } };
  }
  const chosen = pick(own, next);
  const path = pick(pathsOf(chosen), next);
  const everywhere = next() % 2 === 0;
  const removes = next() % 2 === 0;
  const [name, value] = pick(junk, next);
  const change = (object: KubeObject) => {
    const isHit = everywhere ? kindOf(object) === kind : object === chosen;
    if (!isHit) return object;
    const copy = structuredClone(object);
    put(copy, path, removes ? undefined : structuredClone(value));
    return copy;
  };
  const where = { kind, path: path.join('.'), everywhere };
  return {
    dump: { ...dump, objects: dump.objects.map(change) },
    mutation: removes ? { do: 'remove-field', ...where } : { do: 'nonsense', ...where, value: name },
  };
}

function withoutKind(dump: DumpOf, kind: string): DumpOf {
  const others = (one: Kind) => kindOf(one) !== kind;
  return { objects: dump.objects.filter(others), emptyKinds: dump.emptyKinds.filter(others) };
}

/** Every member and item below an object, but for what makes it that object: without these nobody would find it. */
function pathsOf(object: KubeObject): string[][] {
  const found: string[][] = [];
  const walk = (value: unknown, path: readonly string[]) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const here = [...path, key];
      if (!identity.has(here.join('.'))) found.push(here);
      walk(inner, here);
    }
  };
  walk(object, []);
  return found;
}

const identity = new Set(['apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace']);

/** `undefined` takes it out: a list closes up, as a list has no holes. Where the path leads nowhere nothing happens. */
function put(object: object, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  const own = object as Record<string, unknown>;
  if (!Object.hasOwn(own, key)) return;
  if (rest.length > 0) {
    const inner = own[key];
    if (typeof inner === 'object' && inner !== null) put(inner, rest, value);
  } else if (value !== undefined) own[key] = value;
  else if (Array.isArray(object)) object.splice(Number(key), 1);
  else delete own[key];
}

function pick<T>(from: readonly T[], next: Next): T {
  const one = from[next() % from.length];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
}
