import type { MissingRule } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { readingRules } from './collect.ts';
import { kindName } from './reading/reading.ts';

/**
 * A kind that facts are read from. `resources`: the names that it may be served under, the preferred one first (a Calico kind where it is stored, and
 * in its API). `rules`: what is asked of it.
 */
export type ReadKind = {
  readonly resources: readonly [Resource, ...Resource[]];
  readonly rules: readonly MissingRule[];
};

/** Every kind that facts are read from. Made from the collectors themselves, so that none is forgotten. */
export function readKinds(): ReadKind[] {
  const asked = readingRules().flatMap((rule) => resourcesOfRule(rule).map((resource) => ({ rule, resource })));
  return [...Map.groupBy(asked, ({ resource }) => kindName(resource)).values()].flatMap((own) => {
    const [preferred, ...others] = new Set(own.map(({ resource }) => resource));
    return preferred ? [{ resources: [preferred, ...others] as const, rules: own.map(({ rule }) => rule) }] : [];
  });
}

/** In each version that it is served in: a rule names none. */
function resourcesOfRule({ group, resource }: MissingRule): Resource[] {
  const found = Object.values<Resource>(resources).filter((one) => one.group === group && one.plural === resource);
  if (found.length === 0) throw new Error(`${resource}.${group} is read, and stands not in the table of resources`);
  return found;
}
