import type { Pool } from './installation-spec.ts';

/** Below `spec`: `['calicoNetwork', 'ipPools', 0, 'cidr']`. */
export type Path = readonly (string | number)[];

/** The place of a problem: `path` for forms and editors; `field` in words, in which a pool has its name. */
export type FieldPlace = { readonly path: Path; readonly field: string };

/** `sentence` includes the field; `words` are the same without it, to be shown beside the field. */
export type Problem = FieldPlace & { readonly words: string; readonly sentence: string };

/** @param place A dotted path that begins with `spec`, or words for something that is no field of the Installation. */
export function problem(place: FieldPlace | string, words: string): Problem {
  const { path, field } = typeof place === 'string' ? placeOf(place) : place;
  return { path, field, words, sentence: `${field}: ${words}` };
}

export function when(wrong: boolean, place: FieldPlace | string, words: string): Problem[] {
  return wrong ? [problem(place, words)] : [];
}

export function poolPlace(pool: Pool, index: number, key: string): FieldPlace {
  return {
    path: ['calicoNetwork', 'ipPools', index, key],
    field: `spec.calicoNetwork.ipPools[${pool.name ?? pool.cidr}].${key}`,
  };
}

function placeOf(field: string): FieldPlace {
  const [first, ...path] = field.split('.');
  return { field, path: first === 'spec' ? path : [] };
}
