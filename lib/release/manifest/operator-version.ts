import { isRecord } from '#lib/base/records.ts';
import type { ManifestObject } from '#lib/spec/index.ts';

/**
 * The operator's version from its Deployment: the tag of the container's image, or for an image with a digest the value of TIGERA_OPERATOR_INIT_IMAGE_VERSION.
 * Null if neither is a version.
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
