import type { InstallationSpec, Provider } from './installation-spec.ts';
import { leadingDefaults, poolDefaults, usualDetection } from './operator-defaults.ts';

/**
 * A spec with the defaults that the operator fills in before it validates (calico.md §2.1, §2.3), for the fields that rules read. Only for validation, never to be
 * written.
 */
export function effectiveSpec(
  given: InstallationSpec,
  around: { readonly provider?: Provider; readonly awsNode?: boolean },
): InstallationSpec {
  const { provider, type, ipam, dataplane, bgp } = leadingDefaults(given, around);
  const network = given.calicoNetwork ?? {};
  return {
    ...given,
    kubernetesProvider: provider,
    cni: { ...given.cni, type, ipam: { ...given.cni?.ipam, type: ipam } },
    calicoNetwork: {
      ...network,
      linuxDataplane: dataplane,
      bgp,
      nodeAddressAutodetectionV4: network.nodeAddressAutodetectionV4 ?? usualDetection(provider),
      ...(network.ipPools
        ? {
            ipPools: network.ipPools.map((pool) => ({
              ...pool,
              encapsulation: poolDefaults(pool, type === 'Calico').encapsulation,
            })),
          }
        : {}),
    },
  };
}
