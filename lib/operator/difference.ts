import { type Fields, isRecord, same, valueAt } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';

/** Whether a merge patch would change anything. */
export function changes(target: unknown, patch: unknown): boolean {
  if (!isRecord(patch)) return !same(target, patch);
  if (!isRecord(target)) return true;
  return Object.entries(patch).some(([key, value]) =>
    value === null ? target[key] !== undefined : changes(target[key], value),
  );
}

/**
 * Compares a live object with the wanted one. `differs`: a path must change. `extra`: paths that only the live object has, which are defaults of the
 * server or fields that we no longer want; the caller decides.
 */
export function compareWanted(live: unknown, wanted: unknown, path = ''): { differs: boolean; extra: string[] } {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(live) || live.length !== wanted.length) return { differs: true, extra: [] };
    return wanted
      .map((item, index) => compareWanted(live[index], item, `${path}[${index}]`))
      .reduce(together, { differs: false, extra: [] });
  }
  if (!isRecord(wanted)) return { differs: !same(live, wanted), extra: [] };
  if (!isRecord(live)) return { differs: Object.keys(wanted).length > 0 || live !== undefined, extra: [] };
  const extra = Object.keys(live).filter((key) => live[key] !== undefined && wanted[key] === undefined);
  return Object.keys(wanted)
    .filter((key) => wanted[key] !== undefined)
    .map((key) => compareWanted(live[key], wanted[key], `${path}.${key}`))
    .reduce(together, { differs: false, extra: extra.map((key) => `${path}.${key}`) });
}

function together(a: { differs: boolean; extra: string[] }, b: { differs: boolean; extra: string[] }) {
  return { differs: a.differs || b.differs, extra: [...a.extra, ...b.extra] };
}

/** Reads a nested member of plain data. Undefined where a member on the path is missing. */
export function memberAt(object: KubeObject | Fields | null | undefined, ...path: string[]): unknown {
  return valueAt(object, path);
}
