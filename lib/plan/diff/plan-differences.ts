import { isDeepStrictEqual } from 'node:util';
import { agreeing, inList } from '#lib/base/words.ts';
import { objectId } from '#lib/spec/index.ts';
import { expectationsOf, fieldAt } from '../objects/field.ts';
import { targetsOf } from '../objects/objects.ts';
import type { Plan } from '../plan.ts';
import type { Act } from '../schema/act.ts';
import type { Guard, PlannedOperation } from '../schema/planned-operation.ts';

/**
 * Compares a recorded plan (a file, a journal) with the one that its choices lead to now, by what they do. Texts, commands, permissions, diffs and
 * times are ignored: they follow from counts that change by themselves. If there is no difference, both plans do the same. Pure.
 */
export type PlanDifference =
  /** Only the recorded plan has this operation. */
  | { kind: 'gone'; recorded: Recorded }
  /** Only the new plan has this operation. */
  | { kind: 'added'; remade: PlannedOperation }
  /** The operation has another place among those that both plans have. */
  | { kind: 'moved'; recorded: Recorded; remade: PlannedOperation }
  /** `fields`: where the acts and guards of the two differ, as `Kind/name path`. */
  | { kind: 'changed'; recorded: Recorded; remade: PlannedOperation; parts: ChangedPart[]; fields: string[] };

/** An operation of the recorded plan, without any of its texts. `writes`: ids of the objects in its act; the author of the plan chose their names. */
type Recorded = { id: string; seq: number; writes: string[] };

const changedParts = ['act', 'done', 'nudge', 'undo', 'reads', 'status', 'kind'] as const;
type ChangedPart = (typeof changedParts)[number];

/** In the order of the new plan; operations that are gone come last. The n-th operation of an id is compared with the n-th of the same id. */
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
  const missing = [...before].flatMap(([key, operation]): PlanDifference[] =>
    after.has(key) ? [] : [{ kind: 'gone', recorded: recordedOf(operation) }],
  );
  return [...differences, ...missing];
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

/** One difference as a sentence about the new plan. Ids are of the catalogue; object names may contain any character. */
export function differenceWords(difference: PlanDifference): string {
  switch (difference.kind) {
    case 'gone': {
      const { id, writes } = difference.recorded;
      return `${id} is no longer a step of the plan${writes.length === 0 ? '' : `: ${inList(writes, 4)} ${agreeing(writes.length, 'stays as it is', 'stay as they are')}`}.`;
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

/** Indexes of a longest ascending subsequence of `numbers`. */
function longestInOrder(numbers: readonly number[]): number[] {
  const best: number[][] = [];
  numbers.forEach((number, index) => {
    const before = best.slice(0, index).filter((_, earlier) => (numbers[earlier] ?? 0) < number);
    best.push([...before.reduce<number[]>((one, other) => (other.length > one.length ? other : one), []), index]);
  });
  return best.reduce<number[]>((one, other) => (other.length > one.length ? other : one), []);
}
