import type { V1ConfigMap } from '@kubernetes/client-node';
import { readerOf } from './json.ts';
import { fields, textMap } from './lenient.ts';

const reader = readerOf<V1ConfigMap>()(fields({ data: textMap, binaryData: textMap }));

/** `data` of a ConfigMap; empty if there is none. */
export function dataOf(object: unknown): Readonly<Record<string, string>> {
  return reader(object).data;
}

/** `binaryData` of a ConfigMap, in Base64 as the object has it. */
export function binaryDataOf(object: unknown): Readonly<Record<string, string>> {
  return reader(object).binaryData;
}
