import type { Container, ReadPodSpec } from '#lib/kube/index.ts';

/** Name of the sidecar of application layer policy and of its image in any registry (calico.md §1.2 › alp). */
export const sidecarName = 'dikastes';
const ofImage = new RegExp(`(^|/)${sidecarName}([:@]|$)`);

/** The sidecar by name or image; undefined: none. Init containers count too, since Istio puts sidecars there where Kubernetes supports that. */
export function sidecarOf({ containers, initContainers }: Pick<ReadPodSpec, 'containers' | 'initContainers'>) {
  const isIt = ({ name, image }: Container) => name === sidecarName || ofImage.test(image);
  return [...containers, ...initContainers].find(isIt) ?? null;
}
