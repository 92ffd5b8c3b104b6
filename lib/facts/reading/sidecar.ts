import type { Container, ReadPodSpec } from '#lib/kube/index.ts';

/** The sidecar of application layer policy (calico.md §1.2 › alp): its name in the published fragments, and its image's wherever that comes from. */
export const sidecarName = 'dikastes';
const ofImage = new RegExp(`(^|/)${sidecarName}([:@]|$)`);

/** By name or image, among containers of both kinds: Istio puts its own among the init containers where Kubernetes keeps those running. */
export function sidecarOf({ containers, initContainers }: Pick<ReadPodSpec, 'containers' | 'initContainers'>) {
  const isIt = ({ name, image }: Container) => name === sidecarName || ofImage.test(image);
  return [...containers, ...initContainers].find(isIt) ?? null;
}
