import { objectId } from '#lib/spec/index.ts';
import { countTemporary } from '../diff/temporary-objects.ts';
import { journeysTo } from '../journeys.ts';
import { targetsOf } from '../objects/objects.ts';
import type { Traffic } from '../operation.ts';
import type { Act } from '../schema/act.ts';
import type { PlannedOperation } from '../schema/planned-operation.ts';

/** Two independent marks of a step: its effect on traffic, and its writes. */
export type StepMarks = {
  traffic: { mark: Traffic; words: string };
  writes: { mark: 'reads' | 'creates' | 'changes' | 'deletes'; words: string };
};

const trafficWords: Readonly<Record<Traffic, string>> = {
  none: 'traffic: none',
  'may-pause': 'traffic may pause',
  restarts: 'connections restart',
};

const known: ReadonlyMap<string, Traffic> = new Map(
  [...journeysTo('install'), ...journeysTo('enable'), ...journeysTo('upgrade')].flatMap(({ operations }) =>
    // An id may touch traffic in one journey and not in another: the step's own effect then decides.
    operations.flatMap(({ id, traffic }) => (traffic === 'none' ? [] : [[id, traffic] as const])),
  ),
);

/** The effect on traffic follows from the id, or from `effect` for a step of another version; the writes follow from act and diff. Pure. */
export function stepMarks(operation: Pick<PlannedOperation, 'id' | 'effect' | 'act' | 'diff' | 'nudge'>): StepMarks {
  const traffic = operation.effect === 'traffic' ? (known.get(operation.id) ?? 'may-pause') : 'none';
  return { traffic: { mark: traffic, words: trafficWords[traffic] }, writes: writesOf(operation) };
}

function writesOf({ act, diff, nudge }: Pick<PlannedOperation, 'act' | 'diff' | 'nudge'>): StepMarks['writes'] {
  const { creates, changes, deletes } = countWrites(act, diff);
  const words = [
    creates > 0 ? `creates ${creates}` : '',
    changes > 0 ? `changes ${changes}` : '',
    deletes > 0 ? `deletes ${deletes}` : '',
  ].filter((part) => part !== '');
  if (words.length > 0)
    return { mark: deletes > 0 ? 'deletes' : changes > 0 ? 'changes' : 'creates', words: words.join(', ') };
  if (partsOf(act).some(({ kind }) => kind === 'instruct')) return { mark: 'changes', words: 'yours to do' };
  const temporary = countTemporary(diff);
  if (temporary > 0) return { mark: 'creates', words: `creates ${temporary}, removed again` };
  if (act.kind === 'journal') return { mark: 'creates', words: 'journal only' };
  if (nudge !== null) return { mark: 'changes', words: `may change ${targetsOf(nudge.act).length}` };
  return { mark: 'reads', words: 'reads only' };
}

/** Counts each object once. An object that a part deletes counts as deleted, whatever other parts write to it. */
function countWrites(act: Act, diff: string): { creates: number; changes: number; deletes: number } {
  const parts = partsOf(act);
  const idsOf = (some: readonly Act[]) => new Set(some.flatMap(targetsOf).map(objectId));
  const deleted = idsOf(parts.filter(({ kind }) => kind === 'delete' || kind === 'delete-all'));
  const ofFiles = idsOf(parts.filter(({ kind }) => kind === 'apply-manifest'));
  const made = new Set([...diff.matchAll(/^--- \/dev\/null\n\+\+\+ (.+)$/gm)].map(([, id = '']) => id));
  const recreated = idsOf(parts.filter(({ kind }) => kind === 'create' || kind === 'recreate'));
  const files = [...diff.matchAll(/^@@ (\d+) new, (\d+) changed, \d+ as they are @@$/gm)];
  const sum = (at: 1 | 2) => files.reduce((total, found) => total + Number(found[at]), 0);
  const others = [...idsOf(parts)].filter((id) => !deleted.has(id) && !ofFiles.has(id));
  const creates = others.filter((id) => made.has(id) || recreated.has(id)).length;
  return { creates: creates + sum(1), changes: others.length - creates + sum(2), deletes: deleted.size };
}

function partsOf(act: Act): Act[] {
  return act.kind === 'sequence' ? act.steps.flatMap((step) => partsOf(step.act)) : [act];
}
