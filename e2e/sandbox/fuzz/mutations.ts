import { factKeys, readingRules } from '#lib/facts/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { type DumpOf, kindIn, kindOf } from './dump-of.ts';
import { junk } from './junk.ts';
import { type Next, pick, sampleOf } from './numbers.ts';
import { pathsOf, put } from './paths.ts';

/** A change to a dump. `path` is dotted. `everywhere`: in every object of the kind that has this field. */
export type Mutation =
  /** `telling`: all kinds that a fact is read from. `refused`: the kinds exist, and may not be read. */
  | { readonly do: 'remove-kinds'; readonly kinds: readonly string[]; readonly telling?: string }
  | { readonly do: 'refuse-kinds'; readonly kinds: readonly string[]; readonly midway: boolean }
  | { readonly do: 'remove-field'; readonly kind: string; readonly path: string; readonly everywhere: boolean }
  | {
      readonly do: 'nonsense';
      readonly kind: string;
      readonly path: string;
      readonly everywhere: boolean;
      readonly value: string;
    }
  /** A second copy of an object, without a field. */
  | { readonly do: 'twice'; readonly kind: string; readonly path: string; readonly first: boolean }
  | { readonly do: 'other-version'; readonly kind: string; readonly apiVersion: string }
  | { readonly do: 'cut-list'; readonly kind: string; readonly kept: number }
  /** Objects of another product whose kinds have the names of ours, in a group of its own. */
  | { readonly do: 'foreign'; readonly kind: string; readonly count: number }
  /** Renames a namespace in every object that is in it. */
  | { readonly do: 'rename-namespace'; readonly namespace: string }
  /** Keeps the namespaced objects of one namespace, as `kubectl get -n` does. */
  | { readonly do: 'one-namespace'; readonly namespace: string }
  | { readonly do: 'shuffle' };

export type Mutated = { readonly dump: DumpOf; readonly mutation: Mutation };

type Way = (dump: DumpOf, next: Next) => Mutated;

/** The mutations with their frequencies. They choose a kind first and then an object of it, so that the few decisive objects are hit as often as the many pods. */
const ways: readonly (readonly [times: number, way: Way])[] = [
  [6, removedField],
  [6, nonsense],
  [2, withoutKinds],
  [2, withoutWhatTells],
  [2, refused],
  [1, twice],
  [1, otherVersion],
  [1, cutList],
  [1, foreign],
  [1, renamedNamespace],
  [1, oneNamespace],
  [1, shuffled],
];
const lots = ways.flatMap(([times, way]) => Array.from({ length: times }, () => way));

export function mutated(dump: DumpOf, next: Next): Mutated {
  return pick(lots, next)(dump, next);
}

function removedField(dump: DumpOf, next: Next): Mutated {
  const field = fieldIn(dump, next);
  if (field === null) return withoutKinds(dump, next);
  const { kind, path, everywhere } = field;
  const without = changed(dump, field, () => undefined);
  return { dump: without, mutation: { do: 'remove-field', kind, path: path.join('.'), everywhere } };
}

function nonsense(dump: DumpOf, next: Next): Mutated {
  const field = fieldIn(dump, next);
  if (field === null) return withoutKinds(dump, next);
  const { kind, path, everywhere } = field;
  const [value, make] = pick(junk, next);
  return {
    dump: changed(dump, field, make),
    mutation: { do: 'nonsense', kind, path: path.join('.'), everywhere, value },
  };
}

/** Removes one kind, a few, or nearly all. */
function withoutKinds(dump: DumpOf, next: Next): Mutated {
  const kinds = someKinds(dump, next);
  return { dump: lacking(dump, kinds), mutation: { do: 'remove-kinds', kinds } };
}

function someKinds(dump: DumpOf, next: Next): string[] {
  const kinds = kindsOf(dump);
  return sampleOf(kinds, pick([1, 1, 2, 3, 5, 8, kinds.length - 3], next), next);
}

function withoutWhatTells(dump: DumpOf, next: Next): Mutated {
  const telling = pick(factKeys, next);
  const kinds = kindsTelling(telling);
  return { dump: lacking(dump, kinds), mutation: { do: 'remove-kinds', kinds, telling } };
}

const known = Object.values(resources);

function kindsTelling(fact: (typeof factKeys)[number]): string[] {
  const kinds = readingRules(fact).flatMap(({ group, resource }) => {
    const found = known.find((one) => one.group === group && one.plural === resource);
    return found ? [kindIn(group, found.kind)] : [];
  });
  return [...new Set(kinds)];
}

function refused(dump: DumpOf, next: Next): Mutated {
  const kinds = next() % 3 === 0 ? kindsTelling(pick(factKeys, next)) : someKinds(dump, next);
  return { dump, mutation: { do: 'refuse-kinds', kinds, midway: next() % 3 === 0 } };
}

function twice(dump: DumpOf, next: Next): Mutated {
  const field = fieldIn(dump, next);
  if (field === null) return withoutKinds(dump, next);
  const { kind, path, chosen } = field;
  const copy = structuredClone(chosen);
  put(copy, path, () => undefined);
  const first = next() % 2 === 0;
  const objects = dump.objects.flatMap((one) => (one === chosen ? (first ? [copy, one] : [one, copy]) : [one]));
  return { dump: { ...dump, objects }, mutation: { do: 'twice', kind, path: path.join('.'), first } };
}

function otherVersion(dump: DumpOf, next: Next): Mutated {
  const kind = pick(kindsOf(dump), next);
  const named = [...dump.objects, ...dump.emptyKinds].find((one) => kindOf(one) === kind);
  const group = named?.apiVersion.includes('/') ? named.apiVersion.replace(/\/.*/, '') : '';
  const version = pick(['v1', 'v3', 'v1beta1', 'v99', ''], next);
  const apiVersion = pick([`${group}${group && '/'}${version || 'v1'}`, `old.example/${version || 'v1'}`, ''], next);
  const change = <T extends { readonly apiVersion: string; readonly kind: string }>(one: T): T =>
    kindOf(one) === kind ? { ...one, apiVersion } : one;
  return {
    dump: { objects: dump.objects.map(change), emptyKinds: dump.emptyKinds.map(change) },
    mutation: { do: 'other-version', kind, apiVersion },
  };
}

function cutList(dump: DumpOf, next: Next): Mutated {
  const kinds = [...new Set(dump.objects.map(kindOf))];
  const kind = pick(kinds, next);
  const own = dump.objects.filter((one) => kindOf(one) === kind);
  const length = next() % own.length;
  const { apiVersion = '', kind: name = '' } = own[0] ?? {};
  return {
    dump: { ...lacking(dump, [kind]), cut: { apiVersion, kind: name, items: own.slice(0, length) } },
    mutation: { do: 'cut-list', kind, kept: length },
  };
}

function foreign(dump: DumpOf, next: Next): Mutated {
  const kind = pick([...new Set(dump.objects.map(kindOf))], next);
  const own = dump.objects.filter((one) => kindOf(one) === kind);
  const copies = sampleOf(own, 1 + (next() % 5), next).map((one) => ({ ...one, apiVersion: 'product.example/v1' }));
  const objects = next() % 2 === 0 ? [...copies, ...dump.objects] : [...dump.objects, ...copies];
  return { dump: { ...dump, objects }, mutation: { do: 'foreign', kind, count: copies.length } };
}

function renamedNamespace(dump: DumpOf, next: Next): Mutated {
  const namespace = pick([...new Set(dump.objects.flatMap(({ metadata }) => metadata.namespace ?? []))], next);
  const objects = dump.objects.map((one) => {
    const { metadata } = one;
    if (metadata.namespace === namespace) return { ...one, metadata: { ...metadata, namespace: 'renamed' } };
    const isItself = one.kind === 'Namespace' && metadata.name === namespace;
    return isItself ? { ...one, metadata: { ...metadata, name: 'renamed' } } : one;
  });
  return { dump: { ...dump, objects }, mutation: { do: 'rename-namespace', namespace } };
}

function oneNamespace(dump: DumpOf, next: Next): Mutated {
  const namespace = pick([...new Set(dump.objects.flatMap(({ metadata }) => metadata.namespace ?? []))], next);
  // Kubernetes' controllers create this object in every namespace (pkg/controller/certificates/rootcacertpublisher); samples lack it.
  const rootCa = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'kube-root-ca.crt' }, data: {} };
  const objects = dump.objects.filter(({ metadata }) => (metadata.namespace ?? namespace) === namespace);
  return { dump: { ...dump, objects: [...objects, rootCa] }, mutation: { do: 'one-namespace', namespace } };
}

function shuffled(dump: DumpOf, next: Next): Mutated {
  return {
    dump: { ...dump, objects: sampleOf(dump.objects, dump.objects.length, next) },
    mutation: { do: 'shuffle' },
  };
}

type Occurrence = {
  readonly kind: string;
  readonly chosen: KubeObject;
  readonly path: readonly string[];
  readonly everywhere: boolean;
};

/** A random field of an object; null if the chosen kind has no object with fields. */
function fieldIn(dump: DumpOf, next: Next): Occurrence | null {
  const kind = pick(kindsOf(dump), next);
  const own = dump.objects.filter((one) => kindOf(one) === kind);
  if (own.length === 0) return null;
  const chosen = pick(own, next);
  return { kind, chosen, path: pick(pathsOf(chosen), next), everywhere: next() % 2 === 0 };
}

function changed(
  dump: DumpOf,
  { kind, chosen, path, everywhere }: Occurrence,
  make: (value: unknown) => unknown,
): DumpOf {
  const objects = dump.objects.map((object) => {
    const isHit = everywhere ? kindOf(object) === kind : object === chosen;
    if (!isHit) return object;
    const copy = structuredClone(object);
    put(copy, path, make);
    return copy;
  });
  return { ...dump, objects };
}

function kindsOf({ objects, emptyKinds }: DumpOf): string[] {
  return [...new Set([...objects, ...emptyKinds].map(kindOf))].sort();
}

function lacking(dump: DumpOf, kinds: readonly string[]): DumpOf {
  const removed = new Set(kinds);
  const others = (one: { readonly apiVersion: string; readonly kind: string }) => !removed.has(kindOf(one));
  return { objects: dump.objects.filter(others), emptyKinds: dump.emptyKinds.filter(others) };
}
