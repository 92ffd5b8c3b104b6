import type { Facts } from '#lib/facts/index.ts';
import {
  type Choices,
  type JournalNamespaces,
  journalNamespaces,
  type MissingRule,
  type ReleaseContents,
  resources,
} from '#lib/spec/index.ts';
import { kindOfUpgrade } from '../journeys.ts';
import { plannedOperations } from '../make-plan.ts';
import { objectOf } from '../objects/objects.ts';
import { PlanError } from '../plan-error.ts';
import { ruleKey, rulesFor, rulesOf } from './rules-for.ts';

/**
 * The facts with only those access answers that the plan for these choices needs. All permissions are asked once for all journeys (architecture.md ›
 * Operation), but permissions of OpenShift or Helm must not count where neither is used (checks.md › permissions.plan).
 */
export function withAccessOfPlan(
  facts: Facts,
  choices: Choices,
  { release = null, through = [] }: { release?: ReleaseContents | null; through?: readonly ReleaseContents[] } = {},
  namespaces: JournalNamespaces = journalNamespaces,
): Facts {
  const operations = operationsOrNull({ facts, choices, release, through });
  if (operations === null) return choices.goal === 'upgrade' ? withAccessOfKind(facts, choices, namespaces) : facts;
  const journalNamespace = objectOf(facts.resources.objects, { resource: resources.namespaces, name: namespaces[0] })
    ? 'there'
    : 'missing';
  return withAccessTo(facts, rulesOf({ operations }, { namespaces, journalNamespace }));
}

/** The rules for an upgrade that has no plan yet, because its release is not chosen or its files are not at hand. Only the kind of upgrade is known. */
function withAccessOfKind(facts: Facts, choices: Choices, namespaces: JournalNamespaces): Facts {
  return withAccessTo(facts, rulesFor('upgrade', namespaces, kindOfUpgrade({ facts, choices })));
}

function withAccessTo(facts: Facts, rules: readonly MissingRule[]): Facts {
  const needed = new Set(rules.map(ruleKey));
  const access = facts.resources.access.filter((rule) => needed.has(ruleKey(rule)));
  return { ...facts, resources: { ...facts.resources, access } };
}

/** Null if these choices cannot be planned, which `makePlan` reports; until then every answer counts. */
function operationsOrNull(input: Parameters<typeof plannedOperations>[0]) {
  try {
    return plannedOperations(input);
  } catch (error) {
    if (error instanceof PlanError) return null;
    throw error;
  }
}
