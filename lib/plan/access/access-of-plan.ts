import type { Facts } from '#lib/facts/index.ts';
import {
  type Choices,
  type JournalNamespaces,
  journalNamespaces,
  type ReleaseContents,
  resources,
} from '#lib/spec/index.ts';
import { plannedOperations } from '../make-plan.ts';
import { objectOf } from '../objects/objects.ts';
import { PlanError } from '../plan-error.ts';
import { ruleKey, rulesOf } from './rules-for.ts';

/**
 * The same facts with only those access answers that the plan for these choices needs: everything is asked once for all journeys
 * (architecture.md › Operation), but nobody needs OpenShift's or Helm's permissions where neither is used (checks.md › permissions.plan).
 */
export function withAccessOfPlan(
  facts: Facts,
  choices: Choices,
  release: ReleaseContents | null = null,
  namespaces: JournalNamespaces = journalNamespaces,
): Facts {
  const operations = operationsOrNull(facts, choices, release);
  if (operations === null) return facts;
  const journalNamespace = objectOf(facts.resources.objects, { resource: resources.namespaces, name: namespaces[0] })
    ? 'there'
    : 'missing';
  const needed = new Set(rulesOf({ operations }, { namespaces, journalNamespace }).map(ruleKey));
  const access = facts.resources.access.filter((rule) => needed.has(ruleKey(rule)));
  return { ...facts, resources: { ...facts.resources, access } };
}

/** Choices that cannot be planned are told by `makePlan`; until then every answer counts. */
function operationsOrNull(facts: Facts, choices: Choices, release: ReleaseContents | null) {
  try {
    return plannedOperations({ facts, choices, release });
  } catch (error) {
    if (error instanceof PlanError) return null;
    throw error;
  }
}
