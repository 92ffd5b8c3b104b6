import { parse } from 'yaml';
import type { KubeObject } from '#lib/kube/index.ts';
import { document, fields, isRecord, record, textMap } from './lenient.ts';

const configMap = fields({ data: textMap });
const largeConfigMap = fields({ data: record });

export function dataOf(object: KubeObject | null): Record<string, string> {
  return object === null ? {} : configMap.parse(object).data;
}

/** A YAML or JSON document inside a ConfigMap. Null when it is absent, too large, no mapping, or does not parse. */
export function embedded(object: KubeObject | null, key: string): Record<string, unknown> | null {
  if (object === null) return null;
  const text = document.parse(largeConfigMap.parse(object).data[key]);
  if (text === null) return null;
  try {
    const parsed: unknown = parse(text, { maxAliasCount: 20, logLevel: 'silent' });
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
