import type { Pool } from './installation-spec.ts';

/** `platformCIDRs`: OpenShift's clusterNetwork, kubeadm's podSubnet; empty where neither says any. */
type Around = { readonly provider: string; readonly platformCIDRs: readonly string[] };

/**
 * What the operator writes where the Installation names no pools, the cluster has none and Calico hands out the addresses (calico.md §2.3). What it
 * leaves open here it fills in afterwards: IPIP for IPv4.
 */
export function operatorsPools({ provider, platformCIDRs }: Around): readonly Pool[] {
  if (platformCIDRs.length > 0) return platformCIDRs.map((cidr) => ({ cidr }));
  const name = 'default-ipv4-ippool';
  return provider === 'EKS'
    ? [{ name, cidr: '172.16.0.0/16', encapsulation: 'VXLAN' }]
    : [{ name, cidr: '192.168.0.0/16' }];
}
