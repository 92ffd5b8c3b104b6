import type { InstallationSpec } from '#lib/installation/index.ts';

const standard = { registry: 'quay.io/', imagePath: 'calico' };

const chosen = (value: string | undefined, fallback: string) => (value && value !== 'UseDefault' ? value : fallback);

/** `<registry><imagePath>/<imagePrefix><name>:<tag>` (calico.md §2.1). */
export function image(spec: InstallationSpec, name: string, tag: string): string {
  const registry = chosen(spec.registry, standard.registry);
  const path = chosen(spec.imagePath, standard.imagePath);
  return `${registry}${path}/${chosen(spec.imagePrefix, '')}${name}:${tag}`;
}
