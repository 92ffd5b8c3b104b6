import { isRecord, same, valueAt } from '#lib/base/records.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { maskedAt } from '#lib/text/index.ts';
import type { Journal } from '../model/journal.ts';
import { leftBy, type WrittenField } from '../model/left-by.ts';

/** A field or an object that has changed since the run. `path`: null for the whole object. Values are shortened and masked. */
type Drifted = { object: string; path: string | null; left: string; now: string };

/** `looked`: number of fields and objects that were compared. `notRead`: sentences about those that were not. */
export type Drift = { looked: number; drifted: Drifted[]; notRead: string[] };

/**
 * Whether what a run wrote is still there: each field with the value of the last act on it, and each object that it created or deleted. Fields that
 * the operator rewrites (lib/spec) and values of Secrets are left out. Of a manifest only the existence of its objects is checked; what Helm wrote is
 * only named. Reads only these objects.
 */
export async function driftSince(
  kube: Kube,
  plan: Pick<Plan, 'operations'>,
  journal: Journal,
  signal: AbortSignal,
): Promise<Drift> {
  const { left, notCompared } = leftBy(plan, journal);
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
    notRead: [...new Set([...found.flatMap(({ notRead }) => notRead), ...notCompared])],
  };
}

function compared(object: string, { path, value }: WrittenField, now: unknown): Drifted[] {
  if (path === null) {
    const is = now === null ? 'absent' : 'present';
    return is === value ? [] : [{ object, path: null, left: words(value), now: is }];
  }
  // Its absence is reported once.
  if (now === null) return [];
  const found = valueAt(now, path);
  if (value === null ? found === undefined || found === null : holds(found, value)) return [];
  const at = path.join('.');
  return [{ object, path: at, left: words(maskedAt(at, value)), now: words(maskedAt(at, found)) }];
}

/** An empty map that was written says nothing about the keys of others, and elements of lists get defaults. */
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
