import { isRecord } from '#lib/base/records.ts';
import { serverDefaults } from '#lib/spec/index.ts';

const defaults = new Map(serverDefaults.map(({ field, values }) => [field, values]));

/**
 * An object as it will be after it was applied, with the server's defaults that it had before and gets again: otherwise a computed diff would show
 * them as removed. List members are matched by name, else by index. Pure.
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

/** An empty block counts as a default, except a volume's `emptyDir: {}`, which is the volume. */
function isDefault(field: string, value: unknown): boolean {
  if (defaults.get(field)?.includes(value)) return true;
  return field === 'resources' && isRecord(value) && Object.keys(value).length === 0;
}
