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
 * The same facts with only those access answers that the plan for these choices needs: everything is asked once for all journeys
 * (architecture.md › Operation), but nobody needs OpenShift's or Helm's permissions where neither is used (checks.md › permissions.plan).
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

/** An upgrade whose release is not chosen, or whose files are not at hand, has no plan yet; which way it goes is known. */
function withAccessOfKind(facts: Facts, choices: Choices, namespaces: JournalNamespaces): Facts {
  return withAccessTo(facts, rulesFor('upgrade', namespaces, kindOfUpgrade({ facts, choices })));
}

function withAccessTo(facts: Facts, rules: readonly MissingRule[]): Facts {
  const needed = new Set(rules.map(ruleKey));
  const access = facts.resources.access.filter((rule) => needed.has(ruleKey(rule)));
  return { ...facts, resources: { ...facts.resources, access } };
}

/** Choices that cannot be planned are told by `makePlan`; until then every answer counts. */
function operationsOrNull(input: Parameters<typeof plannedOperations>[0]) {
  try {
    return plannedOperations(input);
  } catch (error) {
    if (error instanceof PlanError) return null;
    throw error;
  }
}
