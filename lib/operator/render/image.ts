import type { InstallationSpec } from '#lib/installation/index.ts';
import { renamedImage } from '#lib/spec/index.ts';

/** An image of Calico with the Installation's registry and paths (calico.md §2.1). */
export function image(spec: InstallationSpec, name: string, tag: string): string {
  return renamedImage(`quay.io/calico/${name}:${tag}`, spec);
}
