import type { InstallationSpec } from '#lib/installation/index.ts';
import type { ManifestObject } from '#lib/spec/index.ts';
import { isJson, type Json, mergePatch } from './merge-patch.ts';

/**
 * The operator’s Deployment on a mirror: Installation `spec.registry`, `imagePath`, `imagePrefix` and its pull secrets reach Calico’s images and
 * never the operator’s own, so they are written here (pain J2; calico.md §2.1: `<registry><imagePath>/<imagePrefix><name>:<tag>`).
 */
export function fromMirror(deployment: ManifestObject, spec: InstallationSpec): ManifestObject {
  const pod = podOf(deployment);
  if (pod === null) return deployment;
  const rewritten = (key: 'containers' | 'initContainers') =>
    Array.isArray(pod[key]) ? { [key]: pod[key].map((container) => withMirroredImage(container, spec)) } : {};
  const secrets = (spec.imagePullSecrets ?? []).filter(({ name }) => Boolean(name));
  const changes = {
    ...rewritten('containers'),
    ...rewritten('initContainers'),
    ...(secrets.length > 0 ? { imagePullSecrets: secrets } : {}),
  };
  return mergePatch(deployment, { spec: { template: { spec: changes } } }) as ManifestObject;
}

/** `quay.io/tigera/operator:v1.40.7` → `mirror.example/calico/operator:v1.40.7`; what the Installation leaves open stays as published. */
export function mirroredImage(image: string, { registry, imagePath, imagePrefix }: InstallationSpec): string {
  const match = /^(?:(?<host>[^/]*[.:][^/]*)\/)?(?:(?<path>.+)\/)?(?<name>[^/]+)$/.exec(image);
  const { host, path, name = image } = match?.groups ?? {};
  const given = (value: string | undefined) =>
    value === undefined || value === '' || value === 'UseDefault' ? null : value;
  const registryPart = given(registry) ?? (host === undefined ? '' : `${host}/`);
  const pathPart = given(imagePath) ?? path;
  return `${registryPart}${pathPart === undefined ? '' : `${pathPart}/`}${given(imagePrefix) ?? ''}${name}`;
}

function withMirroredImage(container: unknown, spec: InstallationSpec): unknown {
  if (!isJson(container) || typeof container.image !== 'string') return container;
  return { ...container, image: mirroredImage(container.image, spec) };
}

function podOf({ spec }: ManifestObject): Json | null {
  const template = isJson(spec) ? spec.template : null;
  return isJson(template) && isJson(template.spec) ? template.spec : null;
}
