import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { maskedAt } from '#lib/text/index.ts';
import type { Evidence } from '../schema.ts';

/** The id of an object that was read, as `objectId` makes it. */
export function idOf(object: KubeObject | ObjectMetadata): string {
  const { name, namespace } = metadata.parse(object.metadata);
  return namespace ? `${namespace}/${object.kind}/${name}` : `${object.kind}/${name}`;
}

/** Evidence of a value in an object. A value that looks like a secret is masked. */
export function evidence(object: KubeObject | ObjectMetadata | string, path: string, value: unknown): Evidence {
  return { object: typeof object === 'string' ? object : idOf(object), path, value: maskedAt(path, value) };
}
