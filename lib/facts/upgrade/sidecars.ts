import { isRecord } from '#lib/base/records.ts';
import { type KubeObject, type ObjectMetadata, podOf, workloadOf } from '#lib/kube/index.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { picked, type Query } from '../reading/query.ts';
import { sidecarName, sidecarOf } from '../reading/sidecar.ts';
import { allDeploymentListing, daemonSetListing, statefulSetListing } from '../reading/sources.ts';
import { versionOfImage } from '../reading/workload.ts';
import type { Subject } from '../schema.ts';
import { type PodOfInterest, podsOfInterest } from './named-pods.ts';

/** What Istio's injector leaves on a pod: JSON with the names of the containers that it added. */
const injected = 'sidecar.istio.io/status';

type Carrier = PodOfInterest & { readonly workload: Omit<Subject, 'detail'> };

const carriers = podsOfInterest((object): Carrier | null => {
  const status = object.metadata.annotations?.[injected];
  if (typeof status !== 'string' || !status.includes(sidecarName) || !isInjected(status)) return null;
  const workload = makerOf(object);
  const created = String(object.metadata.creationTimestamp ?? '');
  return { group: JSON.stringify(workload), created, workload };
});

/**
 * A workload whose own template has the sidecar: a restart keeps it, whatever an injector adds. What a controller made (an operator's DaemonSet of the
 * same container) is its controller's to upgrade.
 */
const inTemplates = (resource: Resource) => (object: KubeObject | ObjectMetadata) => {
  if (object.metadata.ownerReferences?.some(({ controller }) => controller === true)) return null;
  const { metadata: meta, spec } = workloadOf(object);
  const found = sidecarOf(spec.template.spec);
  const workload = { kind: resource.kind, namespace: meta.namespace, name: meta.name };
  return found && { workload, image: found.image };
};

const templated: readonly Resource[] = [resources.deployments, resources.daemonSets, resources.statefulSets];

type Found = { readonly of: Carrier; readonly pod: KubeObject; readonly inTemplate: boolean | 'unknown' };

/** The same with what the workloads themselves say: read by name, as many as there are rows. */
const carriersOfWorkloads: Query<readonly Found[]> = {
  // Where each is, nobody knows beforehand: no role gets all workloads for it, and a refusal names its own.
  rules: carriers.rules,
  enlist: (session) => {
    const pods = carriers.enlist(session);
    return async () => {
      const { value, missing } = await pods();
      const read = await Promise.all(
        value.map(async (one) => {
          const { kind, namespace, name } = one.of.workload;
          const resource = templated.find((each) => each.kind === kind);
          if (resource === undefined || namespace === null) return { ...one, inTemplate: false };
          const workload = await session.object({ resource, namespace, name });
          const isUnread = workload.value === null && workload.missing.length > 0;
          // What carries a sidecar is known all the same, and of the others this too.
          const inTemplate = isUnread ? ('unknown' as const) : workload.value !== null && hasSidecar(workload.value);
          return { ...one, inTemplate };
        }),
      );
      return { value: read, missing };
    };
  },
};

const hasSidecar = (workload: KubeObject) => sidecarOf(workloadOf(workload).spec.template.spec) !== null;

/** One row a workload: from its oldest pod, which was injected first, or from its template where no injector has marked its pods. */
export const sidecars = defineCollector({
  id: 'upgrade/sidecars',
  tells: ['sidecars'],
  reads: {
    carriers: carriersOfWorkloads,
    deployments: picked(allDeploymentListing, inTemplates(resources.deployments)),
    daemonSets: picked(daemonSetListing, inTemplates(resources.daemonSets)),
    statefulSets: picked(statefulSetListing, inTemplates(resources.statefulSets)),
  },
  collect: ({ carriers: { value }, deployments, daemonSets, statefulSets }) => {
    const marked = value.flatMap(({ of: { workload }, pod: object, inTemplate }) => {
      const found = sidecarOf(podOf(object).spec);
      return found ? [rowOf(workload, found.image, inTemplate)] : [];
    });
    const known = new Set(marked.map(({ subject }) => idOf(subject)));
    const others = [deployments, daemonSets, statefulSets]
      .flatMap((read) => read.value)
      .filter(({ workload }) => !known.has(idOf(workload)))
      .map(({ workload, image }) => rowOf(workload, image, true));
    return { upgrade: { sidecars: [...marked, ...others] } };
  },
});

const idOf = ({ kind, namespace, name }: Omit<Subject, 'detail'>) => `${namespace}/${kind}/${name}`;

function rowOf(workload: Omit<Subject, 'detail'>, image: string, inTemplate: boolean | 'unknown') {
  return {
    subject: { ...workload, detail: `carries ${image}` },
    image,
    version: versionOfImage(image),
    ...(inTemplate ? { inTemplate } : {}),
  };
}

function isInjected(status: string): boolean {
  try {
    const parsed: unknown = JSON.parse(status);
    const added = isRecord(parsed) ? [parsed.containers, parsed.initContainers].flat() : [];
    return added.some((name) => typeof name === 'string' && name.includes(sidecarName));
  } catch {
    return false;
  }
}

/** A Deployment's pods belong to a ReplicaSet, whose name ends in the hash that is on the pod too. */
function makerOf(object: KubeObject | ObjectMetadata): Omit<Subject, 'detail'> {
  const { name, namespace, labels } = metadata.parse(object.metadata);
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (!owner) return { kind: 'Pod', namespace, name };
  const hash = labels['pod-template-hash'];
  return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
    ? { kind: 'Deployment', namespace, name: owner.name.slice(0, -hash.length - 1) }
    : { kind: String(owner.kind), namespace, name: String(owner.name) };
}
