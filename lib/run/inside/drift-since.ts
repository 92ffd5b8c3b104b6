import { isRecord, same, valueAt } from '#lib/base/records.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type Act, isNeeded, type Plan } from '#lib/plan/index.ts';
import { type ObjectRef, objectId, rewrittenByOperator } from '#lib/spec/index.ts';
import { maskedAt } from '#lib/text/index.ts';
import { type Journal, phaseOf } from '../model/journal.ts';

/** A field or an object that is not as the run left it. `path`: null for the whole object. Values are shortened and masked. */
export type Drifted = { object: string; path: string | null; left: string; now: string };

/** `looked`: fields and objects that were compared. `notRead`: sentences. */
export type Drift = { looked: number; drifted: Drifted[]; notRead: string[] };

type Left = { ref: ObjectRef; path: readonly string[] | null; value: unknown };

/** Bookkeeping that the server keeps for itself, and what we only send along. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status']);

/**
 * Whether what a run wrote is still there: each field with the value that the last act of it gave, each object that it made or deleted. Fields that the
 * operator rewrites by itself are left out (lib/spec), and values of Secrets. Reads only these objects.
 */
export async function driftSince(
  kube: Kube,
  plan: Pick<Plan, 'operations'>,
  journal: Journal,
  signal: AbortSignal,
): Promise<Drift> {
  const left = leftBy(plan, journal);
  const byObject = Map.groupBy(left, ({ ref }) => objectId(ref));
  const found = await Promise.all(
    [...byObject].map(async ([object, fields]): Promise<Drift> => {
      const [first] = fields;
      if (first === undefined) return { looked: 0, drifted: [], notRead: [] };
      try {
        const now = await kube.get(first.ref, { signal });
        return { looked: fields.length, drifted: fields.flatMap((one) => compared(object, one, now)), notRead: [] };
      } catch (error) {
        if (!isKubeError(error) || isKubeError(error, 'unreachable', 'unauthorized', 'credentials')) throw error;
        return { looked: 0, drifted: [], notRead: [error.message] };
      }
    }),
  );
  return {
    looked: found.reduce((sum, { looked }) => sum + looked, 0),
    drifted: found.flatMap(({ drifted }) => drifted),
    notRead: [...new Set(found.flatMap(({ notRead }) => notRead))],
  };
}

/** What the acts that were carried out left, the last word on each field alone; taken back ones by their undo. Pure. */
function leftBy({ operations }: Pick<Plan, 'operations'>, journal: Journal): Left[] {
  const needed = operations.filter(isNeeded);
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

function compared(object: string, { path, value }: Left, now: unknown): Drifted[] {
  if (path === null) {
    const is = now === null ? 'absent' : 'present';
    return is === value ? [] : [{ object, path: null, left: words(value), now: is }];
  }
  // Told once, by its absence.
  if (now === null) return [];
  const found = valueAt(now, path);
  if (value === null ? found === undefined || found === null : holds(found, value)) return [];
  const at = path.join('.');
  return [{ object, path: at, left: words(maskedAt(at, value)), now: words(maskedAt(at, found)) }];
}

/** An empty map that was sent says nothing about what others put into it; lists get defaults in their elements. */
function holds(found: unknown, wanted: unknown): boolean {
  if (isRecord(wanted))
    return isRecord(found) && Object.entries(wanted).every(([key, value]) => holds(found[key], value));
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) && found.length === wanted.length && wanted.every((one, index) => holds(found[index], one))
    );
  return same(found, wanted);
}

const longest = 80;

function words(value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
