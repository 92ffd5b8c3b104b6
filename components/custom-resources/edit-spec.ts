import { isRecord, valueAt } from '#lib/base/records.ts';
import type { Path } from '#lib/installation/index.ts';

export type Spec = Readonly<Record<string, unknown>>;

/** The text of a field for a form: lists separated by commas; empty for maps. */
export function textAt(spec: Spec, path: Path): string {
  const value = valueAt(spec, path);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : '';
}

/** The spec with another value at a path; `undefined` removes the field and maps that become empty. Unchanged parts are the same objects. */
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

/** A number if the text has only digits; otherwise the text, which validation reports. */
export function numberOrText(text: string): number | string | undefined {
  if (text.trim() === '') return undefined;
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : text;
}

export function listOf(text: string): string[] | undefined {
  const entries = text.split(/[\s,]+/).filter((one) => one !== '');
  return entries.length === 0 ? undefined : entries;
}
