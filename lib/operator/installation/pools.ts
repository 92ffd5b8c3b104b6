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

/** Whether the operator manages the pool, by its label (calico.md §2.3). */
export function ownsPool(pool: KubeObject): boolean {
  return pool.metadata.labels?.[names.managedByLabel] === 'tigera-operator';
}

/**
 * `podSubnet:` of kubeadm's ClusterConfiguration, read as the public operator reads it: a list separated by commas. Null when there is no such line.
 */
export function kubeadmPodSubnets(clusterConfiguration: string): string[] | null {
  const line = /^[ \t]*podSubnet:\s*"?([^"\n]*)"?\s*$/m.exec(clusterConfiguration);
  return line?.[1] ? line[1].split(',').map((cidr) => cidr.trim()) : null;
}
