import { type Fields, isRecord } from '#lib/base/records.ts';
import { lastAppliedAnnotation } from '#lib/text/index.ts';

/** Fields that the server maintains: useless in a diff, and refused or ignored when an object is created again. */
const serverFields: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  /** Used only when the name was generated. */
  'generateName',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'ownerReferences',
]);

const annotations: ReadonlySet<string> = new Set([
  /** kubectl's copy of the whole object: it doubles every diff, and contains earlier values of masked fields. */
  lastAppliedAnnotation,
  /** Counters of the controllers. */
  'deprecated.daemonset.template.generation',
  'deployment.kubernetes.io/revision',
]);

/** The object as a person would write it. `ownerReferences` are left out too, because their UIDs may be out of date. */
export function withoutBookkeeping(object: unknown): Fields {
  if (!isRecord(object)) return {};
  const { status: _status, metadata, ...rest } = object;
  if (!isRecord(metadata)) return rest;
  const ownMetadata = Object.entries(metadata).filter(([key]) => !serverFields.has(key));
  return { ...rest, metadata: Object.fromEntries(ownMetadata.map(([key, value]) => [key, tidied(key, value)])) };
}

function tidied(key: string, value: unknown): unknown {
  if (key !== 'annotations' || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !annotations.has(name)));
}
