import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import type { Finding, Findings } from '../findings.ts';
import { runChecks } from '../framework/run-checks.ts';
import { aFacts, type Overrides, someChoices } from './a-facts.ts';

export const testTime = '2026-11-21T10:00:30.000Z';

export function runAll(facts: Facts = aFacts(), choices: Choices = someChoices()): Findings {
  return runChecks(facts, choices, { now: testTime });
}

/** The finding of one check, through the whole framework. */
export function find(id: string, overrides: Overrides<Facts> | Facts = {}, choices: Partial<Choices> = {}): Finding {
  const facts = areFacts(overrides) ? overrides : aFacts(overrides);
  const finding = runAll(facts, someChoices(choices)).findings.find((one) => one.id === id);
  if (!finding) throw new Error(`${id} has no finding for the goal ${choices.goal ?? 'enable'}`);
  return finding;
}

function areFacts(facts: Overrides<Facts> | Facts): facts is Facts {
  return facts.kind === 'Facts';
}

/** One line per subject, for tables: `worker-3: 4.15.0-20, 5.3 is needed`. */
export function subjectLines({ subjects }: Finding): string[] {
  return subjects.map(
    ({ kind, namespace, name, detail }) => `${kind} ${namespace ? `${namespace}/` : ''}${name}: ${detail}`,
  );
}
