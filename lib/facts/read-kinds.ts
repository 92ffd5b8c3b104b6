import type { MissingRule } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { readingRules } from './collect.ts';
import { kindName } from './reading/reading.ts';

/**
 * A kind that facts are read from. `resources`: the APIs that may serve it, the preferred one first (Calico's kinds have two). `rules`: the rights that
 * reading needs.
 */
export type ReadKind = {
  readonly resources: readonly [Resource, ...Resource[]];
  readonly rules: readonly MissingRule[];
};

/** All kinds that facts are read from, taken from the collectors, so that none is forgotten. */
export function readKinds(): ReadKind[] {
  const wanted = readingRules().flatMap((rule) => resourcesOfRule(rule).map((resource) => ({ rule, resource })));
  return [...Map.groupBy(wanted, ({ resource }) => kindName(resource)).values()].flatMap((own) => {
    const [preferred, ...others] = new Set(own.map(({ resource }) => resource));
    return preferred ? [{ resources: [preferred, ...others] as const, rules: own.map(({ rule }) => rule) }] : [];
  });
}

/** The resource of a rule in each known version, as rules have no version. */
function resourcesOfRule({ group, resource }: MissingRule): Resource[] {
  const found = Object.values<Resource>(resources).filter((one) => one.group === group && one.plural === resource);
  if (found.length === 0) throw new Error(`${resource}.${group} is read, and stands not in the table of resources`);
  return found;
}
