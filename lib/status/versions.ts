import { versionOfImage } from '#lib/facts/index.ts';
import {
  containerNamed,
  installationOf,
  isKubeError,
  type Kube,
  type KubeObject,
  type Workload,
  workloadOf,
} from '#lib/kube/index.ts';
import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { agentDaemonSets, names, type ObjectRef, objectId, type Resource, resources } from '#lib/spec/index.ts';

/** Versions as `signalbox version` shows them; null: not known. */
export type Versions = {
  kubernetes: string | null;
  calico: string | null;
  /** Where `calico` was read: `Installation/default status.calicoVersion`. */
  calicoFrom: string | null;
  /** If `calico` is null, a sentence with the reason and how to find the version. */
  calicoUnknown: string | null;
  operator: string | null;
  clusterType: string | null;
  /** Where Calico keeps its data; null: nothing of Calico is known. */
  datastore: 'kubernetes' | 'etcd' | null;
};

/**
 * Reads the versions. Calico's comes from Installation.status.calicoVersion if there is one: ClusterInformation already changes with the first upgraded
 * node. If Calico keeps its data in etcd, its objects in the API are leftovers, so the tag of the agent's image decides (calico.md §9, §13, 20).
 * Rejects only if the API server does not answer.
 */
export async function readVersions(kube: Kube, signal: AbortSignal): Promise<Versions> {
  const kubernetes = await kube.version({ signal });
  const refused: string[] = [];
  const notInDump: string[] = [];
  const read = async (resource: Resource, name: string, namespace?: string): Promise<KubeObject | null> => {
    const ref: ObjectRef = namespace === undefined ? { resource, name } : { resource, name, namespace };
    try {
      return await kube.get(ref, { signal });
    } catch (error) {
      if (isKubeError(error, 'forbidden')) refused.push(objectId(ref));
      else if (!isKubeError(error, 'not-served')) throw error;
      // On a cluster, a kind that is not served has no objects. A dump may just lack them.
      else if (kube.source === 'dump') notInDump.push(objectId(ref));
      return null;
    }
  };
  const [installation, stored, operator] = await Promise.all([
    read(resources.installations, names.installation),
    read(resources.clusterInformations, names.installation),
    read(resources.deployments, names.operatorDeployment, names.operatorNamespace),
  ]);
  const agent = installation === null ? await firstAgent(read) : null;
  const inEtcd = agent !== null && keepsInEtcd(agent);
  const information = inEtcd ? await read(resources.clusterInformationsV3, names.installation) : stored;
  const informed = information === null ? null : informationFields.parse(information).spec;
  const image = agent && containerNamed(agent, names.nodeContainer)?.image;

  const found = [
    {
      version: installation && installationOf(installation).status.calicoVersion,
      from: 'Installation/default status.calicoVersion',
    },
    { version: informed?.calicoVersion, from: 'ClusterInformation/default spec.calicoVersion' },
    {
      version: image ? versionOfImage(image) : null,
      from: agent && `${agent.metadata.namespace}/${agent.kind}/${agent.metadata.name} image ${image}`,
    },
  ].find(({ version }) => version);
  return {
    kubernetes,
    calico: found?.version ?? null,
    calicoFrom: found?.from ?? null,
    calicoUnknown: found
      ? null
      : whyUnknown({ refused, notInDump, image: image ?? null, hasInstallation: installation !== null }),
    operator: operator && versionOfImage(containerNamed(workloadOf(operator), names.operatorDeployment)?.image ?? ''),
    clusterType: informed?.clusterType ?? null,
    datastore: inEtcd ? 'etcd' : installation === null && agent === null && information === null ? null : 'kubernetes',
  };
}

const informationFields = fields({ spec: fields({ calicoVersion: textOrNull, clusterType: textOrNull }) });

/** The first DaemonSet of Calico's agents that is found: also that of an operator, whose Installation may not be readable. */
async function firstAgent(
  read: (resource: Resource, name: string, namespace: string) => Promise<KubeObject | null>,
): Promise<Workload | null> {
  const found = await Promise.all(
    agentDaemonSets.map(({ namespace, name }) => read(resources.daemonSets, name, namespace)),
  );
  const first = found.find((one) => one !== null);
  return first ? workloadOf(first) : null;
}

/** Manifests for etcd do not set DATASTORE_TYPE; all others set it to `kubernetes` (calico.md §9 › Manifest etcd). */
function keepsInEtcd(agent: Workload): boolean {
  const env = containerNamed(agent, names.nodeContainer)?.env ?? [];
  return env.some(({ name }) => name === 'ETCD_ENDPOINTS') && !env.some(({ name }) => name === 'DATASTORE_TYPE');
}

function whyUnknown(seen: {
  refused: readonly string[];
  notInDump: readonly string[];
  image: string | null;
  hasInstallation: boolean;
}): string {
  if (seen.refused.length > 0) return `These credentials may not read ${seen.refused.join(', ')}.`;
  if (seen.image !== null)
    return `Nothing but the agent's image tells the version, and ${seen.image} does not name it. \`calico-node -v\` in one of its pods does.`;
  if (seen.notInDump.length > 0) return `The dump does not hold ${seen.notInDump.join(', ')}.`;
  if (seen.hasInstallation)
    return 'The operator has not reported a version yet: Installation/default has no status.calicoVersion, and no agent has started.';
  return 'There is no Installation, no ClusterInformation and no agent of Calico.';
}
