import type { InstallationSpec, Pool, Provider } from './installation-spec.ts';

type Cni = NonNullable<NonNullable<InstallationSpec['cni']>['type']>;

/** What the operator takes where `cni.type` is not set (calico.md §2.1). */
const cniOfProvider: Partial<Record<Provider, Cni>> = { AKS: 'AzureVNET', EKS: 'AmazonVPC', GKE: 'GKE' };
const ipamOfCni = { Calico: 'Calico', GKE: 'HostLocal', AmazonVPC: 'AmazonVPC', AzureVNET: 'AzureVNET' } as const;

/**
 * The fields that rules look at, as the operator would have filled them in before it judges them (calico.md §2.1, §2.3). The rest stays as it was
 * given: these are not defaults to be written anywhere.
 */
export function effectiveSpec(
  given: InstallationSpec,
  around: { readonly provider?: Provider; readonly awsNode?: boolean },
): InstallationSpec {
  const provider = given.kubernetesProvider || around.provider || '';
  const type = given.cni?.type ?? (around.awsNode === true ? 'AmazonVPC' : (cniOfProvider[provider] ?? 'Calico'));
  const isCalico = type === 'Calico';
  const network = given.calicoNetwork ?? {};
  const dataplane = network.linuxDataplane ?? 'Iptables';
  return {
    ...given,
    kubernetesProvider: provider,
    cni: { ...given.cni, type, ipam: { ...given.cni?.ipam, type: given.cni?.ipam?.type ?? ipamOfCni[type] } },
    calicoNetwork: {
      ...network,
      linuxDataplane: dataplane,
      bgp: network.bgp ?? (isCalico && provider !== 'EKS' ? 'Enabled' : 'Disabled'),
      nodeAddressAutodetectionV4: network.nodeAddressAutodetectionV4 ?? { firstFound: true },
      ...(network.ipPools ? { ipPools: network.ipPools.map((pool) => withEncapsulation(pool, isCalico)) } : {}),
    },
  };
}

function withEncapsulation(pool: Pool, isCalico: boolean): Pool {
  return { ...pool, encapsulation: pool.encapsulation || (isCalico && !pool.cidr.includes(':') ? 'IPIP' : 'None') };
}
