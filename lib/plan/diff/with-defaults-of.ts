import { isRecord } from '#lib/base/records.ts';
import { serverDefaults } from '#lib/spec/index.ts';

const defaults = new Map(serverDefaults.map(({ field, values }) => [field, values]));

/**
 * An object as it will be once it was applied, with what the server had filled in of it before and will fill in again: a diff of what was computed
 * tells no removal that does not come. Members of lists are the same by their names, else by their places. Pure.
 */
export function withDefaultsOf(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) {
    const named = new Map(before.flatMap((one: unknown) => (isRecord(one) && 'name' in one ? [[one.name, one]] : [])));
    return after.map((one: unknown, at) =>
      withDefaultsOf(isRecord(one) && 'name' in one ? named.get(one.name) : before[at], one),
    );
  }
  if (!isRecord(before) || !isRecord(after)) return after;
  const kept = Object.entries(before).filter(([key, value]) => !Object.hasOwn(after, key) && isDefault(key, value));
  const own = Object.entries(after).map(([key, value]) => [key, withDefaultsOf(before[key], value)]);
  return Object.fromEntries([...own, ...kept]);
}

/** An empty block says nothing, but for a volume's `emptyDir: {}`, which is what the volume is. */
function isDefault(field: string, value: unknown): boolean {
  if (defaults.get(field)?.includes(value)) return true;
  return field === 'resources' && isRecord(value) && Object.keys(value).length === 0;
}
