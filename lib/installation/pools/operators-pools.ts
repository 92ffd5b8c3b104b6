import type { Pool } from '../installation-spec.ts';

/** `platformCIDRs`: OpenShift's clusterNetwork or kubeadm's podSubnet; empty if there is none. */
type Around = { readonly provider: string; readonly platformCIDRs: readonly string[] };

/**
 * The pools that the operator writes if the Installation has none, the cluster has none and Calico does the IPAM (calico.md §2.3). Fields left out here it fills
 * in afterwards, e.g. IPIP for IPv4.
 */
export function operatorsPools({ provider, platformCIDRs }: Around): readonly Pool[] {
  if (platformCIDRs.length > 0) return platformCIDRs.map((cidr) => ({ cidr }));
  const name = 'default-ipv4-ippool';
  return provider === 'EKS'
    ? [{ name, cidr: '172.16.0.0/16', encapsulation: 'VXLAN' }]
    : [{ name, cidr: '192.168.0.0/16' }];
}
