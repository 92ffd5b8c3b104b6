import { isDeepStrictEqual } from 'node:util';
import { goals, names, type ObjectRef, objectId } from '#lib/spec/index.ts';
import { type Journey, journeysTo } from '../journeys.ts';
import { targetsOf } from '../objects/objects.ts';
import type { OperationDefinition } from '../operation.ts';
import type { Plan } from '../plan.ts';
import type { Act } from '../schema/act.ts';
import type { PlannedOperation } from '../schema/planned-operation.ts';
import { fits, type Pattern } from './pattern.ts';

/** Why a plan cannot come from the definitions, and where in it. */
export type PinViolation = { path: (string | number)[]; message: string };

/**
 * A plan that was not made in this process may contain only operations of its journey, in its order and not more often, and each must be one that its
 * definition can produce: act, condition, undo and nudge, values included. Whoever hands over a plan.json or changes a journal can leave operations
 * out and choose among what the user could choose; they cannot turn an operation into another one.
 */
export function misfitInPlan(plan: Pick<Plan, 'goal' | 'choices' | 'operations'>): PinViolation | null {
  if (plan.goal !== plan.choices.goal) return { path: ['goal'], message: 'is not the goal of its choices' };
  const compared = plan.operations.map((operation) => comparedWithDefinitions(operation, plan.choices));
  return compared.map(misfitAt).find((one) => one !== null) ?? ofPlan(plan, compared);
}

const allDefinitions = new Set(goals.flatMap((goal) => journeysTo(goal).flatMap(({ operations }) => operations)));

/** An operation with every definition of its id, and the first field that the definition cannot have produced; null: none. */
type Compared = { operation: PlannedOperation; misfits: ReadonlyMap<OperationDefinition, Field | null> };

function comparedWithDefinitions(operation: PlannedOperation, choices: Plan['choices']): Compared {
  const definitions = [...allDefinitions].filter(({ id }) => id === operation.id);
  return { operation, misfits: new Map(definitions.map((one) => [one, misfitOf(operation, one, choices)])) };
}

function misfitAt({ operation, misfits }: Compared, at: number): PinViolation | null {
  const here = (field: string, message: string): PinViolation => ({ path: ['operations', at, field], message });
  const [first] = misfits.values();
  if (first === undefined) return here('id', 'is not an operation of this version');
  if (first !== null && ![...misfits.values()].includes(null))
    return here(first, `holds an act that ${operation.id} may not do: ${wordsOf(operation, first)}`);
  const targets = targetsOf(operation.act).map(objectId);
  return isDeepStrictEqual(operation.targets, targets)
    ? null
    : here('targets', 'are not the objects that its act writes');
}

type Field = 'act' | 'undo' | 'nudge' | 'effect' | 'reversible' | 'until';

function misfitOf(
  operation: PlannedOperation,
  definition: OperationDefinition,
  choices: Plan['choices'],
): Field | null {
  const { act, done, undo, nudge, effect, reversible, until } = operation;
  const { step, undo: back = null, nudge: help = null } = definition.mayWrite({ act, done }, choices);
  const expected: readonly [Field, unknown, Pattern][] = [
    ['act', { act, done }, step],
    ['undo', undo && { act: undo.act, done: undo.done, phase: undo.phase, pulls: undo.pulls }, back],
    ['nudge', nudge, help],
    ['effect', effect, definition.effect],
    ['reversible', reversible, definition.reversible],
    ['until', until, definition.until ?? null],
  ];
  return expected.find(([, value, pattern]) => !fits(value, pattern))?.[0] ?? null;
}

function ofPlan(
  { goal, operations }: Pick<Plan, 'goal' | 'operations'>,
  compared: readonly Compared[],
): PinViolation | null {
  const isOfJourney = journeysTo(goal).some((journey) => isPartOf(compared, journey));
  if (!isOfJourney) return { path: ['operations'], message: `are not steps of a way to ${goal}, in their order` };
  const namespaces = new Set(operations.flatMap(operatorNamespacesOf));
  return namespaces.size < 2 ? null : { path: ['operations'], message: 'are about operators in several namespaces' };
}

/**
 * Matches each operation with a definition after those of the operations before it. The first definition that matches is taken, which leaves most
 * definitions for the rest.
 */
function isPartOf(compared: readonly Compared[], { operations }: Journey): boolean {
  let from = 0;
  return compared.every(({ misfits }) => {
    const found = operations.findIndex((definition, at) => at >= from && misfits.get(definition) === null);
    from = found + 1;
    return found >= 0;
  });
}

function operatorNamespacesOf({ act, undo, nudge }: PlannedOperation): string[] {
  const acts = [act, ...(undo === null ? [] : [undo.act]), ...(nudge === null ? [] : [nudge.act])];
  return acts
    .flatMap(targetsOf)
    .flatMap(({ resource, name, namespace = '' }) => (isOfOperator(resource.kind, name) ? [namespace] : []));
}

const isOfOperator = (kind: string, name: string) =>
  (kind === 'Deployment' && name === names.operatorDeployment) ||
  (kind === 'ConfigMap' && name === names.endpointConfigMap);

function wordsOf({ act, done, undo, nudge, ...rest }: PlannedOperation, field: Field): string {
  const acts: Partial<Record<Field, Act | undefined>> = { act, undo: undo?.act, nudge: nudge?.act };
  if (!(field in acts)) return `${field} ${JSON.stringify(rest[field as 'effect'])}`;
  const shown = acts[field];
  const words = shown === undefined ? [] : writesOf(shown);
  return words.length === 0 ? (shown?.kind ?? `no ${field}`) : [...new Set(words)].slice(0, 3).join(', ');
}

function writesOf(act: Act): string[] {
  const named = (verb: string, refs: readonly ObjectRef[]) =>
    refs.map(({ resource, name }) => `${verb} ${resource.kind} ${name}`);
  switch (act.kind) {
    case 'sequence':
      return act.steps.flatMap((step) => writesOf(step.act));
    case 'delete':
    case 'delete-all':
      return named('delete', targetsOf(act));
    case 'helm':
      return ['helm'];
    default:
      return named('write', targetsOf(act));
  }
}
