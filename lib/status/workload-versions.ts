import { versionOfImage } from '#lib/facts/index.ts';
import { isKubeError, type Kube, type KubeObject, rolloutCounts, workloadOf } from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';

/** A workload of Calico and the release of its image; null: the image's tag is no release. `ready` and `updated` count pods, out of `wanted`. */
export type WorkloadVersion = {
  object: string;
  name: string;
  version: string | null;
  wanted: number;
  updated: number;
  ready: number;
};

/** `unknown`: sentences about what could not be read. */
export type WorkloadVersions = { workloads: WorkloadVersion[]; unknown: string[] };

/** The namespaces of Calico's pods, and the names of its workloads in each (calico.md §9). */
const places: readonly { namespace: string; named: RegExp }[] = [
  { namespace: names.operatorNamespace, named: /^tigera-operator$/ },
  { namespace: names.calicoNamespace, named: /./ },
  { namespace: names.earlierApiServerNamespace, named: /./ },
  { namespace: names.systemNamespace, named: /^(calico|canal)/ },
];

/** Calico itself has a dozen workloads. The limit keeps the answer small on a cluster with many others in the same namespaces. */
const mostShown = 40;

/** Reads the DaemonSets and Deployments of Calico, each list once. Rejects only if the API server does not answer. */
export async function readWorkloadVersions(kube: Kube, signal: AbortSignal): Promise<WorkloadVersions> {
  const unknown: string[] = [];
  const listed = async (resource: Resource, namespace: string, named: RegExp): Promise<WorkloadVersion[]> => {
    const found: WorkloadVersion[] = [];
    try {
      for await (const page of kube.list(resource, { namespace, signal }))
        found.push(
          ...page.items
            .filter(({ metadata }) => named.test(metadata.name ?? ''))
            .map((one) => versionOf(one, resource)),
        );
    } catch (error) {
      if (!isKubeError(error, 'forbidden', 'not-served', 'not-found')) throw error;
      unknown.push(error.message);
    }
    return found;
  };
  const all = await Promise.all(
    places.flatMap(({ namespace, named }) =>
      [resources.daemonSets, resources.deployments].map((resource) => listed(resource, namespace, named)),
    ),
  );
  return { workloads: all.flat().slice(0, mostShown), unknown: [...new Set(unknown)] };
}

function versionOf(object: KubeObject, { kind }: Resource): WorkloadVersion {
  const { metadata, spec } = workloadOf(object);
  const image = spec.template.spec.containers[0]?.image ?? null;
  const { desired, updated, available } = rolloutCounts(object);
  return {
    object: `${metadata.namespace}/${kind}/${metadata.name}`,
    name: metadata.name,
    version: image === null ? null : versionOfImage(image),
    wanted: desired,
    updated,
    ready: available,
  };
}
