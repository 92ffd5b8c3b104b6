import { isDeepStrictEqual } from 'node:util';
import { inList } from '#lib/base/words.ts';
import { objectId } from '#lib/spec/index.ts';
import type { Act } from '../act.ts';
import { expectationsOf, fieldAt } from '../objects/field.ts';
import { targetsOf } from '../objects/objects.ts';
import type { Guard, PlannedOperation } from '../operation.ts';
import type { Plan } from '../plan.ts';

/**
 * How a recorded plan (a file, a journal) and the plan that its choices make now differ in what is done. Texts, commands, permissions, diffs and times do
 * not count: the remade plan has its own, and they follow from counts that move by themselves. No difference: carrying out the one is
 * carrying out the other. Pure.
 */
export type PlanDifference =
  /** Only the recorded plan has it. */
  | { kind: 'gone'; recorded: Recorded }
  /** Only the remade plan has it. */
  | { kind: 'added'; remade: PlannedOperation }
  /** At another place among the operations that both have. */
  | { kind: 'moved'; recorded: Recorded; remade: PlannedOperation }
  /** `fields`: what of the remade operation the recorded one does not say so, as `Kind/name path`; of acts and guards. */
  | { kind: 'changed'; recorded: Recorded; remade: PlannedOperation; parts: ChangedPart[]; fields: string[] };

/** Which operation of the recorded plan: none of its words. `writes`: ids of the objects in its act, which are text of whoever wrote it. */
export type Recorded = { id: string; seq: number; writes: string[] };

const changedParts = ['act', 'done', 'nudge', 'undo', 'reads', 'status', 'kind'] as const;
export type ChangedPart = (typeof changedParts)[number];

/** In the order of the remade plan; what is gone comes last. The n-th operation of an id is compared with the n-th of the same id. */
export function differencesBetween(
  recorded: Pick<Plan, 'operations'>,
  remade: Pick<Plan, 'operations'>,
): PlanDifference[] {
  const before = byOccurrence(recorded.operations);
  const after = byOccurrence(remade.operations);
  const shared = [...after.keys()].filter((key) => before.has(key));
  const inPlace = longestInOrder(shared.map((key) => before.get(key)?.seq ?? 0));
  const kept = new Set(inPlace.map((index) => shared[index]));
  const differences = [...after].flatMap(([key, operation]): PlanDifference[] => {
    const earlier = before.get(key);
    if (earlier === undefined) return [{ kind: 'added', remade: operation }];
    const where = { recorded: recordedOf(earlier), remade: operation };
    const parts = changedParts.filter((part) => !isDeepStrictEqual(partOf(earlier, part), partOf(operation, part)));
    return [
      ...(kept.has(key) ? [] : [{ kind: 'moved' as const, ...where }]),
      ...(parts.length === 0
        ? []
        : [{ kind: 'changed' as const, ...where, parts, fields: fieldsChanged(earlier, operation) }]),
    ];
  });
  const gone = [...before].flatMap(([key, operation]): PlanDifference[] =>
    after.has(key) ? [] : [{ kind: 'gone', recorded: recordedOf(operation) }],
  );
  return [...differences, ...gone];
}

const partWords: Readonly<Record<ChangedPart, (remade: PlannedOperation) => string>> = {
  act: () => 'does something else',
  done: () => 'counts as done by something else',
  nudge: () => 'is helped along in another way',
  undo: () => 'is undone in another way',
  reads: () => 'expects other values before it',
  status: ({ status }) => (status === 'already-done' ? 'is done already' : 'is still to be done'),
  kind: () => 'has another effect',
};

/** One difference as a sentence about the plan that was made now. Ids are of the catalogue; object names may hold any character. */
export function differenceWords(difference: PlanDifference): string {
  switch (difference.kind) {
    case 'gone': {
      const { id, writes } = difference.recorded;
      return `${id} is no step of the plan any more${writes.length === 0 ? '' : `: ${inList(writes, 4)} stays as it is`}.`;
    }
    case 'added':
      return `${nameOf(difference.remade)} is a new step.`;
    case 'moved':
      return `${nameOf(difference.remade)} is step ${difference.remade.seq}, and was step ${difference.recorded.seq}.`;
    case 'changed': {
      const { remade, parts, fields } = difference;
      const words = parts.map((part) => partWords[part](remade)).join(', ');
      return `${nameOf(remade)} ${words}${fields.length === 0 ? '' : `: ${inList(fields, 4)}`}.`;
    }
  }
}

const nameOf = ({ id, title }: PlannedOperation) => `${id} (${title})`;

function byOccurrence(operations: readonly PlannedOperation[]): Map<string, PlannedOperation> {
  const seen = new Map<string, number>();
  return new Map(
    operations.map((operation) => {
      const occurrence = (seen.get(operation.id) ?? 0) + 1;
      seen.set(operation.id, occurrence);
      return [`${operation.id} ${occurrence}`, operation] as const;
    }),
  );
}

function recordedOf({ id, seq, act }: PlannedOperation): Recorded {
  return { id, seq, writes: targetsOf(act).map(objectId) };
}

function partOf(operation: PlannedOperation, part: ChangedPart): unknown {
  const { undo, nudge, effect, reversible, until } = operation;
  switch (part) {
    case 'undo':
      return undo && { act: undo.act, done: undo.done, phase: undo.phase, pulls: undo.pulls };
    case 'nudge':
      return nudge && { act: nudge.act, afterSeconds: nudge.afterSeconds };
    case 'kind':
      return { effect, reversible, until };
    default:
      return operation[part];
  }
}

function fieldsChanged(recorded: PlannedOperation, remade: PlannedOperation): string[] {
  const known = [...written(recorded.act), ...guarded(recorded.reads)];
  const now = [...written(remade.act), ...guarded(remade.reads)];
  return [...new Set(now.filter((one) => !known.some((other) => isDeepStrictEqual(one, other))).map(({ at }) => at))];
}

type Field = { at: string; value: unknown };

function written(act: Act): Field[] {
  switch (act.kind) {
    case 'merge-patch':
    case 'apply':
    case 'create':
    case 'recreate':
      return expectationsOf(act.body).map(({ path }) => ({
        at: `${objectId(act.target)} ${path.join('.')}`,
        value: fieldAt(act.body, path) ?? null,
      }));
    case 'sequence':
      return act.steps.flatMap((step) => written(step.act));
    default:
      return [];
  }
}

function guarded(reads: readonly Guard[]): Field[] {
  return reads.flatMap(({ target, expected }) =>
    expected.map((field) => ({ at: `${objectId(target)} ${field.path.join('.')}`, value: field })),
  );
}

/** Indexes of a longest ascending part of `numbers`. */
function longestInOrder(numbers: readonly number[]): number[] {
  const best: number[][] = [];
  numbers.forEach((number, index) => {
    const before = best.slice(0, index).filter((_, earlier) => (numbers[earlier] ?? 0) < number);
    best.push([...before.reduce<number[]>((one, other) => (other.length > one.length ? other : one), []), index]);
  });
  return best.reduce<number[]>((one, other) => (other.length > one.length ? other : one), []);
}
