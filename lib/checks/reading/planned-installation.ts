import { z } from 'zod';
import { valueAt } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import { chosenInstallation } from '#lib/installation/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { installationId } from './installation.ts';

const specSchema = z.object({ spec: z.record(z.string(), z.unknown()).catch({}) });

/**
 * A field of the Installation after the plan, by its path below `spec`: for an install the chosen or proposed value, for a running cluster that of `set`,
 * else the present one. `from`: which of these; undefined: none has it. An install keeps an existing Installation, so a proposal is unknown if that
 * could not be read.
 */
export function plannedField(
  facts: Facts,
  choices: Choices,
  path: string,
): { value: unknown; from: 'choices' | 'cluster' } {
  if (Object.hasOwn(choices.set, path)) return { value: choices.set[path], from: 'choices' };
  if (choices.goal === 'install') {
    const value = valueAt(plannedDocument(facts, choices), path.split('.'));
    return { value, from: choices.installation === undefined ? 'cluster' : 'choices' };
  }
  const parsed = specSchema.safeParse(facts.resources.objects[installationId] ?? {});
  return { value: parsed.success ? valueAt(parsed.data.spec, path.split('.')) : undefined, from: 'cluster' };
}

type Document = Readonly<Record<string, unknown>>;

/** Documents by facts and answers: many checks need the same one, and it is made from all nodes. */
const known = new WeakMap<Facts, WeakMap<Choices, Document>>();

/** The Installation that an install with these answers writes. */
export function plannedDocument(facts: Facts, choices: Choices): Document {
  const byChoices = known.get(facts) ?? new WeakMap<Choices, Document>();
  known.set(facts, byChoices);
  const before = byChoices.get(choices);
  if (before) return before;
  const made = chosenInstallation({ facts, choices, release: null });
  byChoices.set(choices, made);
  return made;
}
