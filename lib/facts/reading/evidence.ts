import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { maskedAt } from '#lib/text/index.ts';
import type { Evidence } from '../schema.ts';

/** objectId of an object that was read, whatever its resource. */
export function idOf(object: KubeObject | ObjectMetadata): string {
  const { name, namespace } = metadata.parse(object.metadata);
  return namespace ? `${namespace}/${object.kind}/${name}` : `${object.kind}/${name}`;
}

/** Object and path say where to look; a value that looks like a secret is masked. */
export function evidence(object: KubeObject | ObjectMetadata | string, path: string, value: unknown): Evidence {
  return { object: typeof object === 'string' ? object : idOf(object), path, value: maskedAt(path, value) };
}
