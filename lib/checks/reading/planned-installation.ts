import { z } from 'zod';
import { valueAt } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import { chosenInstallation } from '#lib/installation/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { installationId } from './installation.ts';

const specSchema = z.object({ spec: z.record(z.string(), z.unknown()).catch({}) });

/**
 * A field of the Installation as it will be after the plan, by its path below `spec`: of an install what was chosen or is proposed, of a
 * running cluster what `set` says over what is there. `from` says which; undefined where none of them has it. What is proposed comes from the
 * cluster too: where somebody began an Installation, it stays as it is, and one that could not be read may say anything.
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

/** Many checks ask the same of the same facts and answers, and the document is made from all nodes. */
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
