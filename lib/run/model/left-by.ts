import { isRecord } from '#lib/base/records.ts';
import { type Act, type Plan, targetsOf } from '#lib/plan/index.ts';
import { type ObjectRef, objectId, rewrittenByOperator } from '#lib/spec/index.ts';
import { type Journal, phaseOf } from './journal.ts';

/** A field with the last value that a run gave it (null: removed), or a whole object (`path` null), `present` or `absent`. */
export type WrittenField = { ref: ObjectRef; path: readonly string[] | null; value: unknown };

/** Fields of identity and status: the server's, or only sent along. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status']);

/** `notCompared`: sentences about steps whose writes no plan names. */
export type LeftBehind = { left: WrittenField[]; notCompared: string[] };

/** What the acts of a run left behind: the last value of each field. An undone act leaves the value of its undo. Pure. */
export function leftBy({ operations }: Pick<Plan, 'operations'>, journal: Journal): LeftBehind {
  const needed = operations.filter(({ status }) => status === 'needed');
  const isOver = (direction: 'forward' | 'undo', seq: number) => phaseOf(journal, { direction, seq }) === 'finished';
  const acts = [
    ...needed.filter(({ seq }) => isOver('forward', seq)),
    ...journal.entries.flatMap((entry): { seq: number; act: Act }[] => {
      if (entry.what !== 'finished' || entry.direction !== 'undo') return [];
      const undo = operations.find(({ seq }) => seq === entry.seq)?.undo;
      return undo ? [{ seq: entry.seq, act: undo.act }] : [];
    }),
  ];
  const left = new Map<string, WrittenField>();
  const notCompared = new Set<string>();
  const forget = (ref: ObjectRef, path: WrittenField['path']) => {
    const object = objectId(ref);
    for (const [key, one] of left)
      if (objectId(one.ref) === object && (path === null || overlap(one.path, path))) left.delete(key);
  };
  const put = (ref: ObjectRef, path: WrittenField['path'], value: unknown) =>
    left.set(JSON.stringify([objectId(ref), path]), { ref, path, value });
  const putFields = ({ target, body }: Extract<Act, { body: unknown }>) => {
    put(target, null, 'present');
    for (const { path, value } of leavesOf(body, [])) {
      // Earlier values of this field no longer hold, even if the new one is unknown.
      forget(target, path);
      const isNobodys = rewrittenByOperator(target.resource.kind, path, value === null ? 'absent' : 'present');
      if (!isNobodys && target.resource.kind !== 'Secret') put(target, path, value);
    }
  };
  const follow = (act: Act, seq: number): void => {
    switch (act.kind) {
      case 'sequence':
        for (const step of act.steps) follow(step.act, seq);
        break;
      case 'delete':
      case 'delete-all':
        for (const target of targetsOf(act)) {
          forget(target, null);
          put(target, null, 'absent');
        }
        break;
      case 'apply':
      case 'create':
      case 'recreate':
      case 'merge-patch':
        putFields(act);
        break;
      case 'apply-manifest':
        // The plan has only the checksum of a file, so only the existence of its objects can be compared.
        for (const target of act.targets) {
          forget(target, null);
          put(target, null, 'present');
        }
        break;
      case 'helm':
        notCompared.add(
          `Step ${seq} went through the Helm release ${act.namespace}/${act.release}: its values are not compared.`,
        );
    }
  };
  for (const { act, seq } of acts) follow(act, seq);
  return { left: [...left.values()], notCompared: [...notCompared] };
}

/** Whether two fields are the same or one contains the other. False for a whole object. */
function overlap(one: WrittenField['path'], other: readonly string[]): boolean {
  if (one === null) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((key, index) => long[index] === key);
}

function leavesOf(value: unknown, path: readonly string[]): { path: readonly string[]; value: unknown }[] {
  if (!isRecord(value) || Object.keys(value).length === 0) return path.length === 0 ? [] : [{ path, value }];
  return Object.entries(value)
    .filter(([key]) => path.length > 0 || !identity.has(key))
    .filter(([key]) => path.length !== 1 || path[0] !== 'metadata' || key === 'annotations' || key === 'labels')
    .flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}
