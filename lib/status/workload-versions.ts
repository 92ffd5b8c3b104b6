import { versionOfImage } from '#lib/facts/index.ts';
import { isKubeError, type Kube, type KubeObject, workloadOf } from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';

/** A workload of Calico and the release of its image; null: the image names none. `ready` and `updated` are of `wanted` pods. */
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

/** Where Calico's own pods run: all of such a namespace, and of the system's what is called so (calico.md §9). */
const places: readonly { namespace: string; named: RegExp }[] = [
  { namespace: names.operatorNamespace, named: /^tigera-operator$/ },
  { namespace: names.calicoNamespace, named: /./ },
  { namespace: names.earlierApiServerNamespace, named: /./ },
  { namespace: names.systemNamespace, named: /^(calico|canal)/ },
];

/** A namespace of Calico has a dozen; who puts more there has other worries. */
const mostShown = 40;

/** What runs of Calico besides the agents' own nodes, workload by workload, each list asked for once. Rejects only where the API server does not answer. */
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
  const { metadata, spec, status } = workloadOf(object);
  const image = spec.template.spec.containers[0]?.image ?? null;
  const isDaemonSet = kind === resources.daemonSets.kind;
  const wanted = (isDaemonSet ? status.desiredNumberScheduled : spec.replicas) ?? (isDaemonSet ? 0 : 1);
  const isObserved = (status.observedGeneration ?? 0) >= (object.metadata.generation ?? 0);
  return {
    object: `${metadata.namespace}/${kind}/${metadata.name}`,
    name: metadata.name,
    version: image === null ? null : versionOfImage(image),
    wanted,
    // What the controller has not looked at yet is about the template before.
    updated: isObserved ? ((isDaemonSet ? status.updatedNumberScheduled : status.updatedReplicas) ?? 0) : 0,
    ready: (isDaemonSet ? status.numberAvailable : status.availableReplicas) ?? 0,
  };
}
