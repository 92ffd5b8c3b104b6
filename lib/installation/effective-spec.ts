import type { InstallationSpec, Pool, Provider } from './installation-spec.ts';

type Cni = NonNullable<NonNullable<InstallationSpec['cni']>['type']>;

/** The operator's default for `cni.type` (calico.md §2.1). */
const cniOfProvider: Partial<Record<Provider, Cni>> = { AKS: 'AzureVNET', EKS: 'AmazonVPC', GKE: 'GKE' };
const ipamOfCni = { Calico: 'Calico', GKE: 'HostLocal', AmazonVPC: 'AmazonVPC', AzureVNET: 'AzureVNET' } as const;

/**
 * A spec with the defaults that the operator fills in before it validates (calico.md §2.1, §2.3), for the fields that rules read. Only for validation, never to be
 * written.
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
