import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';

/** Versions as `signalbox version` shows them; null where the cluster does not tell. */
export type Versions = {
  kubernetes: string | null;
  calico: string | null;
  operator: string | null;
  clusterType: string | null;
};

/**
 * Installation.status.calicoVersion is the truth during an upgrade; ClusterInformation flips with the first node (calico.md §13, 20).
 * Rejects only when the API server itself does not answer.
 */
export async function readVersions(kube: Kube, signal: AbortSignal): Promise<Versions> {
  const kubernetes = await kube.version({ signal });
  const [installation, information, operator] = await Promise.all([
    readable(kube.get({ resource: resources.installations, name: names.installation }, { signal })),
    readable(kube.get({ resource: resources.clusterInformations, name: 'default' }, { signal })),
    readable(
      kube.get(
        { resource: resources.deployments, namespace: names.operatorNamespace, name: names.operatorDeployment },
        { signal },
      ),
    ),
  ]);
  return {
    kubernetes,
    calico: text(installation, 'status', 'calicoVersion') ?? text(information, 'spec', 'calicoVersion'),
    operator: imageTag(operator),
    clusterType: text(information, 'spec', 'clusterType'),
  };
}

async function readable(read: Promise<KubeObject | null>): Promise<KubeObject | null> {
  try {
    return await read;
  } catch (error) {
    if (isKubeError(error, 'forbidden', 'not-served')) return null;
    throw error;
  }
}

function text(object: KubeObject | null, part: 'spec' | 'status', field: string): string | null {
  const value = (object?.[part] as Record<string, unknown> | undefined)?.[field];
  return typeof value === 'string' && value !== '' ? value : null;
}

function imageTag(deployment: KubeObject | null): string | null {
  const containers = (deployment?.spec as { template?: { spec?: { containers?: { image?: string }[] } } } | undefined)
    ?.template?.spec?.containers;
  return /:(v[^:@/]+)$/.exec(containers?.[0]?.image ?? '')?.[1] ?? null;
}
