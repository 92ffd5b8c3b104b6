/** What Calico's controllers make of each node (calico.md §7). */

/** Of a name in the API. */
const longestName = 253;

/** The name of a node's default endpoint; null where it would be too long: the controllers then take a hash, which nobody can look for. */
export function automaticEndpointOf(node: string): string | null {
  const name = `${node}-auto-hep`;
  return name.length > longestName ? null : name;
}

/** Its only profile, built in: what no policy decides is allowed. An endpoint without a profile denies it. */
export const automaticProfile = 'projectcalico-default-allow';

/** Kubernetes' own: kubelets and controllers decide by them, so they are never copied from a host endpoint to its node. */
export const isLabelOfKubernetes = (key: string) => /(^|\.)(kubernetes|k8s)\.io\//.test(key);
