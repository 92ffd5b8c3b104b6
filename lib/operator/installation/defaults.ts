import {
  type InstallationSpec,
  leadingDefaults,
  operatorsPools,
  type Pool,
  type Provider,
  poolDefaults,
  usualDetection,
} from '#lib/installation/index.ts';
import { cniPaths, flexVolumePaths } from '#lib/spec/index.ts';
import type { Release } from '../releases.ts';

export type DefaultsContext = {
  release: Release;
  /** The provider that the operator detected at its start (calico.md §3.1). */
  provider: Provider;
  /** CIDRs of the pools that the cluster already has. */
  pools: readonly string[];
  awsNode: boolean;
};

/** Host paths of a provider. Rows of lib/spec are looked up by the operator's name of the provider; `other` holds for the rest. */
const pathsOf = (provider: Provider) => {
  const key = provider.toLowerCase();
  const flex: Readonly<Record<string, string>> = flexVolumePaths;
  const cni: Readonly<Record<string, { readonly bin: string; readonly conf: string }>> = cniPaths;
  return { flexVolume: flex[key] ?? flexVolumePaths.other, ...(cni[key] ?? cniPaths.other) };
};

const isV4 = (cidr: string) => !cidr.includes(':');

/** The spec with every default that the installation controller writes back (calico.md §2.1). Given values stay. */
export function withDefaults(given: InstallationSpec, around: DefaultsContext): InstallationSpec {
  const { provider, type, ipam, dataplane, bgp } = leadingDefaults(given, around);
  const calicoCni = type === 'Calico';
  const network = given.calicoNetwork ?? {};
  const paths = pathsOf(provider);
  const poolsV4 = around.pools.some(isV4);
  const poolsV6 = around.pools.some((cidr) => !isV4(cidr));

  return {
    ...given,
    variant: given.variant ?? 'Calico',
    ...(provider ? { kubernetesProvider: provider } : {}),
    cni: {
      ...given.cni,
      type,
      ipam: { ...given.cni?.ipam, type: ipam },
      ...(around.release.writesHostPathDefaults
        ? { binDir: given.cni?.binDir ?? paths.bin, confDir: given.cni?.confDir ?? paths.conf }
        : {}),
    },
    calicoNetwork: {
      ...network,
      linuxDataplane: dataplane,
      windowsDataplane: network.windowsDataplane ?? 'Disabled',
      bgp,
      // Also with BPF: 30 ms after the switch's patch sets `null`, the operator writes the default again (install-enable-rollback-3.31.4.jsonl,
      // t=53.38).
      ...(network.hostPorts === undefined && calicoCni ? { hostPorts: 'Enabled' as const } : {}),
      ...(network.multiInterfaceMode === undefined && calicoCni ? { multiInterfaceMode: 'None' as const } : {}),
      ...(network.linuxPolicySetupTimeoutSeconds === undefined && calicoCni && dataplane === 'Iptables'
        ? { linuxPolicySetupTimeoutSeconds: 0 }
        : {}),
      ...(network.nodeAddressAutodetectionV4 === undefined && (dataplane === 'BPF' || poolsV4)
        ? { nodeAddressAutodetectionV4: usualDetection(provider) }
        : {}),
      ...(network.nodeAddressAutodetectionV6 === undefined && poolsV6
        ? { nodeAddressAutodetectionV6: { firstFound: true } }
        : {}),
    },
    flexVolumePath: given.flexVolumePath ?? paths.flexVolume,
    kubeletVolumePluginPath: given.kubeletVolumePluginPath ?? '/var/lib/kubelet',
    nodeUpdateStrategy: {
      ...given.nodeUpdateStrategy,
      type: given.nodeUpdateStrategy?.type ?? 'RollingUpdate',
      rollingUpdate: {
        ...given.nodeUpdateStrategy?.rollingUpdate,
        maxUnavailable: given.nodeUpdateStrategy?.rollingUpdate?.maxUnavailable ?? 1,
      },
    },
    controlPlaneReplicas: given.controlPlaneReplicas ?? 2,
    ...(around.release.writesHostPathDefaults ? { nonPrivileged: given.nonPrivileged ?? 'Disabled' } : {}),
    ...(calicoCni
      ? {
          logging: {
            ...given.logging,
            cni: {
              ...given.logging?.cni,
              logSeverity: given.logging?.cni?.logSeverity ?? 'Info',
              logFileMaxSize: given.logging?.cni?.logFileMaxSize ?? '100Mi',
              logFileMaxAgeDays: given.logging?.cni?.logFileMaxAgeDays ?? 30,
              logFileMaxCount: given.logging?.cni?.logFileMaxCount ?? 10,
            },
          },
        }
      : {}),
  };
}

export type PoolContext = {
  calicoCni: boolean;
  calicoIpam: boolean;
  provider: Provider;
  existing: readonly string[];
  platformCidrs: readonly string[];
};

/** `spec.calicoNetwork.ipPools` as the pool controller writes it back (calico.md §2.3). */
export function poolsWithDefaults(given: readonly Pool[] | undefined, around: PoolContext): Pool[] {
  const pools = given ?? startingPools(around);
  return pools.map((pool, index) => {
    const v4 = isV4(pool.cidr);
    return {
      ...pool,
      name: pool.name ?? defaultName(pools, index),
      ...poolDefaults(pool, around.calicoCni),
      natOutgoing: pool.natOutgoing || (v4 ? 'Enabled' : 'Disabled'),
      nodeSelector: pool.nodeSelector ?? 'all()',
      disableBGPExport: pool.disableBGPExport ?? false,
      disableNewAllocations: pool.disableNewAllocations ?? false,
      allowedUses: pool.allowedUses ?? ['Workload', 'Tunnel'],
      assignmentMode: pool.assignmentMode ?? 'Automatic',
    };
  });
}

function startingPools({ existing, calicoCni, calicoIpam, provider, platformCidrs }: PoolContext): readonly Pool[] {
  if (existing.length > 0 || !calicoIpam) return [];
  return operatorsPools({ provider, platformCIDRs: calicoCni ? platformCidrs : [] });
}

/** The first pool of a family has the well-known name, and each further one a number (calico.md §2.3: names must differ). */
function defaultName(pools: readonly Pool[], index: number): string {
  const v4 = isV4(pools[index]?.cidr ?? '');
  const before = pools.slice(0, index).filter((pool) => isV4(pool.cidr) === v4).length;
  return `default-${v4 ? 'ipv4' : 'ipv6'}-ippool${before > 0 ? `-${before}` : ''}`;
}
