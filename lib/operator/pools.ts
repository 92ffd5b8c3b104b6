import type { Pool } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { apiVersionOf, names, resources } from '#lib/spec/index.ts';

const tunnels: Record<string, { ipipMode: string; vxlanMode: string }> = {
  IPIP: { ipipMode: 'Always', vxlanMode: 'Never' },
  IPIPCrossSubnet: { ipipMode: 'CrossSubnet', vxlanMode: 'Never' },
  VXLAN: { ipipMode: 'Never', vxlanMode: 'Always' },
  VXLANCrossSubnet: { ipipMode: 'Never', vxlanMode: 'CrossSubnet' },
};

/** A pool of the Installation as `crd.projectcalico.org/v1` stores it (install-enable-rollback-3.31.4.jsonl, t=4.16). */
export function ipPoolOf(pool: Pool): KubeObject {
  return {
    apiVersion: apiVersionOf(resources.ipPools),
    kind: resources.ipPools.kind,
    metadata: { name: pool.name ?? '', labels: { [names.managedByLabel]: 'tigera-operator' } },
    spec: {
      cidr: pool.cidr,
      ...(tunnels[pool.encapsulation ?? ''] ?? { ipipMode: 'Never', vxlanMode: 'Never' }),
      natOutgoing: pool.natOutgoing === 'Enabled',
      nodeSelector: pool.nodeSelector ?? 'all()',
      blockSize: pool.blockSize,
      allowedUses: pool.allowedUses,
      assignmentMode: pool.assignmentMode,
      ...(pool.disableBGPExport ? { disableBGPExport: true } : {}),
      ...(pool.disableNewAllocations ? { disabled: true } : {}),
    },
  };
}

/** Ours by its label (calico.md §2.3). */
export function ownsPool(pool: KubeObject): boolean {
  return pool.metadata.labels?.[names.managedByLabel] === 'tigera-operator';
}

/** `podSubnet:` of kubeadm's ClusterConfiguration, as the public one cuts it out: a comma list. Null when there is no such line. */
export function kubeadmPodSubnets(clusterConfiguration: string): string[] | null {
  const line = /^\s*podSubnet:\s*"?([^"\n]*)"?\s*$/m.exec(clusterConfiguration);
  return line?.[1] ? line[1].split(',').map((cidr) => cidr.trim()) : null;
}

/** Problems of pools among themselves and with the platform's CIDRs (calico.md §2.3). */
export function poolProblem(pools: readonly Pool[]): string | null {
  const seen = new Set<string>();
  for (const pool of pools) {
    const name = pool.name ?? pool.cidr;
    for (const key of [`name ${pool.name}`, `CIDR ${pool.cidr}`]) {
      if (seen.has(key)) return `IPPool ${name}: ${key} is used twice`;
      seen.add(key);
    }
    const bits = Number(pool.cidr.split('/')[1]);
    const [least, most] = pool.cidr.includes(':') ? [116, 128] : [20, 32];
    const size = pool.blockSize ?? least;
    if (size < least || size > most) return `IPPool ${name}: blockSize ${size} is not between ${least} and ${most}`;
    if (bits > size) return `IPPool ${name}: ${pool.cidr} is smaller than a block of /${size}`;
  }
  return null;
}
