import type { Facts } from '#lib/facts/index.ts';
import { chosenInstallation } from '#lib/installation/index.ts';
import type { Choices } from '#lib/spec/index.ts';

/** Several checks ask the same of the same facts and answers, and the document is made from all nodes. */
const known = new WeakMap<Facts, WeakMap<Choices, string | null>>();

/** Which CNI connects the pods when the plan is done: on a running cluster the one that does; null where that cannot be told. */
export function plannedCni(facts: Facts, choices: Choices): string | null {
  if (choices.goal !== 'install') return facts.installation.cni;
  const byChoices = known.get(facts) ?? new WeakMap<Choices, string | null>();
  known.set(facts, byChoices);
  const before = byChoices.get(choices);
  if (before !== undefined) return before;
  const cni = ofDocument(facts, choices);
  byChoices.set(choices, cni);
  return cni;
}

function ofDocument(facts: Facts, choices: Choices): string | null {
  const { cni } = chosenInstallation({ facts, choices, release: null });
  const type = typeof cni === 'object' && cni !== null && 'type' in cni ? cni.type : undefined;
  return typeof type === 'string' ? type : (facts.installation.cni ?? 'Calico');
}
