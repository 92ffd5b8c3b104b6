import type { InstallationSpec } from '#lib/installation/index.ts';
import { renamedImage } from '#lib/spec/index.ts';

/** An image of Calico as the Installation names it (calico.md §2.1). */
export function image(spec: InstallationSpec, name: string, tag: string): string {
  return renamedImage(`quay.io/calico/${name}:${tag}`, spec);
}
