import { inList } from '#lib/base/words.ts';
import type { KubeError } from '#lib/kube/index.ts';
import { PlanError } from '#lib/plan/index.ts';

type Refused = NonNullable<KubeError['detail']['fields']>[number];

/**
 * The error for chosen fields of the Installation that the server refuses, by their paths below `spec`: the choice is what has to change, not the step. Null if
 * no refused field was chosen.
 */
export function refusedChoice(
  refused: readonly Refused[],
  set: Readonly<Record<string, unknown>> = {},
): PlanError | null {
  const paths = Object.keys(set);
  for (const { blamed, message } of [
    // A rule of a parent field is often reported beside, and before, the fault of a field in it.
    ...refused.map((one) => ({ blamed: chosenFor(one, paths), message: one.message })),
    ...refused.map((one) => ({ blamed: chosenWithin(one, paths), message: one.message })),
  ])
    if (blamed.length > 0) return errorOf(blamed, message);
  return null;
}

/** The choice that gave the field its value. */
function chosenFor({ field }: Refused, paths: readonly string[]): string[] {
  const own = paths.filter((path) => isWithin(field, `spec.${path}`));
  return own.sort((one, other) => other.length - one.length).slice(0, 1);
}

/** The choices below the field: those that the server's words name, else all, because each of them may be refused. */
function chosenWithin({ field, message }: Refused, paths: readonly string[]): string[] {
  const within = paths.filter((path) => isWithin(`spec.${path}`, field));
  const words = message.split(/[^A-Za-z0-9]+/);
  const named = within.filter((path) => words.includes(path.split('.').at(-1) ?? path));
  return named.length > 0 ? named : within;
}

function isWithin(field: string, parent: string): boolean {
  return field === parent || field.startsWith(`${parent}.`) || field.startsWith(`${parent}[`);
}

function errorOf(blamed: readonly string[], message: string): PlanError {
  const quoted = blamed.map((path) => JSON.stringify(path));
  const says =
    message !== 'unknown field'
      ? `${inList(quoted, quoted.length, 'or')} is refused by the API server: ${message}`
      : quoted.length === 1
        ? `${quoted[0]} is not a field of the Installation on this cluster.`
        : `${inList(quoted, quoted.length)} are not fields of the Installation on this cluster.`;
  return new PlanError('choices.set', `set: ${says}`, blamed.length === 1 ? ['set', ...blamed] : ['set']);
}
