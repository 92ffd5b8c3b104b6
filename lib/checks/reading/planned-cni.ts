import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { plannedDocument } from './planned-installation.ts';

/** The CNI that connects pods after the plan; on a running cluster the present one. Null: unknown. */
export function plannedCni(facts: Facts, choices: Choices): string | null {
  if (choices.goal !== 'install') return facts.installation.cni;
  const { cni } = plannedDocument(facts, choices);
  const type = typeof cni === 'object' && cni !== null && 'type' in cni ? cni.type : undefined;
  return typeof type === 'string' ? type : (facts.installation.cni ?? 'Calico');
}
