import { isRecord } from '#lib/base/records.ts';
import type { Act, Plan } from '#lib/plan/index.ts';
import { type ObjectRef, objectId, rewrittenByOperator } from '#lib/spec/index.ts';
import { type Journal, phaseOf } from './journal.ts';

/** A field with the value that a run gave it last (null: taken away), or a whole object (`path` null), `present` or `absent`. */
export type Left = { ref: ObjectRef; path: readonly string[] | null; value: unknown };

/** Bookkeeping that the server keeps for itself, and what we only send along. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status']);

/** What the acts that were carried out left, the last word on each field alone; taken back ones by their undo. Pure. */
export function leftBy({ operations }: Pick<Plan, 'operations'>, journal: Journal): Left[] {
  const needed = operations.filter(({ status }) => status === 'needed');
  const isOver = (direction: 'forward' | 'undo', seq: number) => phaseOf(journal, { direction, seq }) === 'finished';
  const acts = [
    ...needed.filter(({ seq }) => isOver('forward', seq)).map(({ act }) => act),
    ...journal.entries.flatMap((entry): Act[] => {
      if (entry.what !== 'finished' || entry.direction !== 'undo') return [];
      const undo = operations.find(({ seq }) => seq === entry.seq)?.undo;
      return undo ? [undo.act] : [];
    }),
  ];
  const left = new Map<string, Left>();
  const put = (ref: ObjectRef, path: Left['path'], value: unknown) => {
    if (ref.resource.kind === 'Secret' && path !== null) return;
    left.set(JSON.stringify([objectId(ref), path]), { ref, path, value });
  };
  const forget = (ref: ObjectRef) => {
    for (const [key, one] of left) if (objectId(one.ref) === objectId(ref)) left.delete(key);
  };
  const follow = (act: Act): void => {
    if (act.kind === 'sequence') for (const step of act.steps) follow(step.act);
    if (act.kind === 'delete') {
      forget(act.target);
      put(act.target, null, 'absent');
    }
    if (act.kind === 'apply' || act.kind === 'recreate' || act.kind === 'merge-patch') {
      put(act.target, null, 'present');
      for (const { path, value } of leavesOf(act.body, []))
        if (!rewrittenByOperator(act.target.resource.kind, path, value === null ? 'absent' : 'present'))
          put(act.target, path, value);
    }
  };
  for (const act of acts) follow(act);
  return [...left.values()];
}

function leavesOf(value: unknown, path: readonly string[]): { path: readonly string[]; value: unknown }[] {
  if (!isRecord(value) || Object.keys(value).length === 0) return path.length === 0 ? [] : [{ path, value }];
  return Object.entries(value)
    .filter(([key]) => path.length > 0 || !identity.has(key))
    .filter(([key]) => path.length !== 1 || path[0] !== 'metadata' || key === 'annotations' || key === 'labels')
    .flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}
