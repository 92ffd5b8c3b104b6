import type { Facts } from '#lib/facts/index.ts';

/** Whether an object that collectors read by name does not exist; `undecided` if it was not read. */
export function objectIsAbsent({ resources: { objects } }: Facts, id: string): 'yes' | 'no' | 'undecided' {
  if (!Object.hasOwn(objects, id)) return 'undecided';
  return objects[id] === null ? 'yes' : 'no';
}
