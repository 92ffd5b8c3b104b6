/** OpenShift's own networks, which serve Services themselves. */
const ownNetworks: ReadonlySet<string> = new Set(['OVNKubernetes', 'OpenShiftSDN']);

/**
 * Whether OpenShift's network operator runs a proxy. With a third party's network plug-in it does unless it is told not to: unset (null) means true
 * there, and false with OpenShift's own networks (openshift/api › Network › deployKubeProxy; read 2026-11-22).
 */
export function openshiftRunsProxy(networkType: string, deployKubeProxy: boolean | null): boolean {
  return deployKubeProxy ?? !ownNetworks.has(networkType);
}
