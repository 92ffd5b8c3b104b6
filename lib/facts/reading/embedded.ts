import { parse } from 'yaml';
import { isRecord } from '#lib/base/records.ts';
import { dataOf, type KubeObject } from '#lib/kube/index.ts';
import { document } from '#lib/kube/read/lenient.ts';

/** Parsed documents by object, since several collectors ask for the same ones and parsing takes a millisecond. */
const known = new WeakMap<KubeObject, Map<string, Readonly<Record<string, unknown>> | null>>();

/** A YAML or JSON document in a ConfigMap; null: it is absent, too large, no mapping, or cannot be parsed. */
export function embedded(object: KubeObject | null, key: string): Readonly<Record<string, unknown>> | null {
  if (object === null) return null;
  const byKey = known.get(object) ?? new Map<string, Readonly<Record<string, unknown>> | null>();
  known.set(object, byKey);
  const before = byKey.get(key);
  if (before !== undefined) return before;
  const parsed = parsedDocument(object, key);
  byKey.set(key, parsed);
  return parsed;
}

function parsedDocument(object: KubeObject, key: string): Readonly<Record<string, unknown>> | null {
  const text = document.parse(dataOf(object)[key]);
  if (text === null) return null;
  try {
    const parsed: unknown = parse(text, { maxAliasCount: 20, logLevel: 'silent' });
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
