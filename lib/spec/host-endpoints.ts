/** Automatic host endpoints, which Calico's controllers create for nodes (calico.md §7). */

/** Longest name in the API. */
const longestName = 253;

/** The name of a node's automatic endpoint; null if it would be too long: then the controllers use a hash, which cannot be looked up. */
export function automaticEndpointOf(node: string): string | null {
  const name = `${node}-auto-hep`;
  return name.length > longestName ? null : name;
}

/** Its only profile, which is built in: it allows traffic that no policy decides. An endpoint without a profile denies it. */
export const automaticProfile = 'projectcalico-default-allow';

/** Whether a label is Kubernetes' own. These control kubelets and controllers, so they are never copied from a host endpoint to its node. */
export const isLabelOfKubernetes = (key: string) => /(^|\.)(kubernetes|k8s)\.io\//.test(key);
