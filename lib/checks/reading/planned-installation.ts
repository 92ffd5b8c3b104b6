import { z } from 'zod';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { installationId } from './installation.ts';

const specSchema = z.object({ spec: z.record(z.string(), z.unknown()).catch({}) });

/**
 * A field of the Installation as it will be after the plan, by its path below `spec`: what `set` says, then the document that was chosen,
 * then what the cluster has. `from` says which; undefined where none of them has it.
 */
export function plannedField(
  facts: Facts,
  { set, installation }: Choices,
  path: string,
): { value: unknown; from: 'choices' | 'cluster' } {
  if (Object.hasOwn(set, path)) return { value: set[path], from: 'choices' };
  const chosen = at(installation, path);
  if (chosen !== undefined) return { value: chosen, from: 'choices' };
  const parsed = specSchema.safeParse(facts.resources.objects[installationId] ?? {});
  return { value: parsed.success ? at(parsed.data.spec, path) : undefined, from: 'cluster' };
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
          ? (inner as Record<string, unknown>)[key]
          : undefined,
      value,
    );
}
