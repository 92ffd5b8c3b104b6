import { isRecord, valueAt } from '#lib/base/records.ts';
import type { Path } from '#lib/installation/index.ts';

export type Spec = Readonly<Record<string, unknown>>;

/** What a text field shows of it: lists by commas, groups of fields not at all. */
export function textAt(spec: Spec, path: Path): string {
  const value = valueAt(spec, path);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : '';
}

/** The spec with another value there; `undefined` takes the field away, and the group that is then empty. What stays is the same object. */
export function withValue(spec: Spec, path: Path, value: unknown): Spec {
  const changed = put(spec, path, value);
  return isRecord(changed) ? changed : {};
}

function put(here: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(here) ? [...here] : [];
    const below = put(list[step], rest, value);
    if (below === undefined && rest.length === 0) list.splice(step, 1);
    else list[step] = below ?? {};
    return list;
  }
  const record = isRecord(here) ? here : {};
  const below = put(record[step], rest, value);
  if (below !== undefined) return { ...record, [step]: below };
  const { [step]: _gone, ...others } = record;
  return Object.keys(others).length === 0 ? undefined : others;
}

/** Digits are a number; anything else stays as typed, for the problems to name. */
export function numberOrText(text: string): number | string | undefined {
  if (text.trim() === '') return undefined;
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : text;
}

export function listOf(text: string): string[] | undefined {
  const entries = text.split(/[\s,]+/).filter((one) => one !== '');
  return entries.length === 0 ? undefined : entries;
}
