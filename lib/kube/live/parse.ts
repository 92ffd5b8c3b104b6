import { isRecord } from '#lib/base/records.ts';
import { KubeError } from '../error.ts';
import type { KubeObject } from '../object.ts';

/**
 * An answer as an object, after checking apiVersion, kind and metadata; other fields stay unchecked. Nothing is copied, because lists hold tens of thousands
 * of objects.
 */
export function asObject(value: unknown): KubeObject {
  if (isObject(value)) return value;
  throw new KubeError('protocol', "The API server's answer is not a Kubernetes object.");
}

/** Whether a value has apiVersion and kind as text, and metadata as a record; nothing else is checked. */
export function isObject(value: unknown): value is KubeObject {
  return (
    isRecord(value) &&
    typeof value.apiVersion === 'string' &&
    typeof value.kind === 'string' &&
    isRecord(value.metadata)
  );
}

export type RawPage = { items: KubeObject[]; resourceVersion: string; remaining: number | null; next: string | null };

/** A page of a list. Items of built-in kinds come without apiVersion and kind, which are added in place. */
export function asPage(value: unknown, apiVersion: string, kind: string): RawPage {
  if (!isRecord(value) || !isRecord(value.metadata) || !(Array.isArray(value.items) || value.items === null)) {
    throw new KubeError('protocol', `The API server's answer is not a list of ${kind} objects.`);
  }
  const { metadata } = value;
  const items: unknown[] = value.items ?? [];
  if (!areNamed(items, apiVersion, kind)) {
    throw new KubeError('protocol', `In the API server's list of ${kind} objects, one has no metadata.`);
  }
  return {
    items,
    resourceVersion: typeof metadata.resourceVersion === 'string' ? metadata.resourceVersion : '',
    remaining: typeof metadata.remainingItemCount === 'number' ? metadata.remainingItemCount : null,
    next: typeof metadata.continue === 'string' && metadata.continue !== '' ? metadata.continue : null,
  };
}

function areNamed(items: unknown[], apiVersion: string, kind: string): items is KubeObject[] {
  return items.every((item) => {
    if (!isRecord(item)) return false;
    // Missing on items of built-in kinds; `PartialObjectMetadata` on metadata-only ones.
    if (item.apiVersion === undefined || item.kind === 'PartialObjectMetadata') item.apiVersion = apiVersion;
    if (item.kind === undefined || item.kind === 'PartialObjectMetadata') item.kind = kind;
    return isRecord(item.metadata);
  });
}
