import { isRecord } from '#lib/base/records.ts';
import type { ManifestObject } from '#lib/spec/index.ts';

/**
 * The operator's version as its Deployment names it: the tag of the container's image, or, where the image is named by its digest, what
 * TIGERA_OPERATOR_INIT_IMAGE_VERSION says. Null where neither is a version.
 */
export function operatorVersion(objects: readonly ManifestObject[]): string | null {
  const container = operatorContainer(objects);
  const image = typeof container?.image === 'string' ? container.image : '';
  return versionIn(/:([^:/@]+)(?:@|$)/.exec(image)?.[1]) ?? versionIn(initVersion(container));
}

function operatorContainer(objects: readonly ManifestObject[]): Readonly<Record<string, unknown>> | undefined {
  const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'tigera-operator');
  const spec = field(field(field(deployment, 'spec'), 'template'), 'spec');
  const containers = isRecord(spec) && Array.isArray(spec.containers) ? spec.containers : [];
  return containers.filter(isRecord).find(({ name }) => name === 'tigera-operator');
}

function initVersion(container: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const env = container !== undefined && Array.isArray(container.env) ? container.env : [];
  const row = env.filter(isRecord).find(({ name }) => name === 'TIGERA_OPERATOR_INIT_IMAGE_VERSION');
  return typeof row?.value === 'string' ? row.value : undefined;
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function versionIn(tag: string | undefined): string | null {
  return tag !== undefined && /^v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(tag) ? tag : null;
}
