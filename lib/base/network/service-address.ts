import { asCidr, isInCidr } from '../ip.ts';

/** `clusterIPs`: of the Service default/kubernetes, which is all that is known of Services where their range is not. */
export type KnownServices = { readonly clusterIPs: readonly string[]; readonly serviceCIDRs: readonly string[] };

/** Whether an address belongs to a Service, in whatever notation each of them is written. False for names. */
export function isServiceAddress(address: string, { clusterIPs, serviceCIDRs }: KnownServices): boolean {
  return [...clusterIPs.map(asCidr), ...serviceCIDRs].some((range) => isInCidr(address, range));
}
