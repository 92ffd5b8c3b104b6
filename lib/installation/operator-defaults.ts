import type { Cni, InstallationSpec, Ipam, Pool, Provider } from './installation-spec.ts';
import { blockSizes } from './pools/block-sizes.ts';

/** Values that the operator gives to fields without one (calico.md §2.1, §2.3). Read by validation and by the operator's stand-in. */

const cniOfProvider: Partial<Record<Provider, Cni>> = { AKS: 'AzureVNET', EKS: 'AmazonVPC', GKE: 'GKE' };

/** The IPAM of a CNI. */
export const ipamOfCni: Readonly<Record<Cni, Ipam>> = {
  Calico: 'Calico',
  GKE: 'HostLocal',
  AmazonVPC: 'AmazonVPC',
  AzureVNET: 'AzureVNET',
};

/** `provider`: the one that the operator detected, used if the spec names none. `awsNode`: DaemonSet aws-node exists. */
type Around = { readonly provider?: Provider; readonly awsNode?: boolean };

/** Fields that the others follow from, and those that follow from them. `provider` is empty if there is none. */
export function leadingDefaults({ kubernetesProvider, cni, calicoNetwork: network }: InstallationSpec, around: Around) {
  const provider: Provider = kubernetesProvider || around.provider || '';
  const type = cni?.type ?? (around.awsNode === true ? 'AmazonVPC' : (cniOfProvider[provider] ?? 'Calico'));
  const bgp = network?.bgp ?? (type === 'Calico' && provider !== 'EKS' ? 'Enabled' : 'Disabled');
  return {
    provider,
    type,
    ipam: cni?.ipam?.type ?? ipamOfCni[type],
    dataplane: network?.linuxDataplane ?? 'Iptables',
    bgp,
  } as const;
}

/** How a node finds its IPv4 address. */
export function usualDetection(
  provider: Provider,
): NonNullable<InstallationSpec['calicoNetwork']>['nodeAddressAutodetectionV4'] {
  if (provider === 'DockerEnterprise') return { skipInterface: '^br-.*' };
  return provider === 'EKS' ? { canReach: '8.8.8.8' } : { firstFound: true };
}

/** Encapsulation and size of blocks of a pool. */
export function poolDefaults({ cidr, encapsulation, blockSize }: Pool, isCalicoCni: boolean) {
  const isV6 = cidr.includes(':');
  return {
    encapsulation: encapsulation || (isCalicoCni && !isV6 ? 'IPIP' : 'None'),
    blockSize: blockSize ?? blockSizes[isV6 ? 6 : 4].usual,
  };
}
