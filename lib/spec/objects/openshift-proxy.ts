/** OpenShift's own networks, which serve Services themselves. */
const ownNetworks: ReadonlySet<string> = new Set(['OVNKubernetes', 'OpenShiftSDN']);

/**
 * Whether OpenShift's network operator runs a proxy. If `deployKubeProxy` is unset (null), it does with a third party's network plug-in, and does not with
 * OpenShift's own networks (openshift/api › Network › deployKubeProxy; read 2026-11-22).
 */
export function openshiftRunsProxy(networkType: string, deployKubeProxy: boolean | null): boolean {
  return deployKubeProxy ?? !ownNetworks.has(networkType);
}
