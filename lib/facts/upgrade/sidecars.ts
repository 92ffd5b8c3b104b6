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

/** Annotation of Istio's injector: JSON with the names of the containers that it added. */
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
 * Workloads with the sidecar in their own template, which a restart keeps. Workloads with an owner, such as an operator's DaemonSet, are left out: their
 * owner upgrades them.
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

/** Workloads with sidecars, each with its template, which is read by name. */
const carriersOfWorkloads: Query<readonly Found[]> = {
  // The workloads are not known beforehand, so no role can name them. A refusal names its workload.
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
          // The other workloads are known, and this one is known to have a sidecar.
          const inTemplate = isUnread ? ('unknown' as const) : workload.value !== null && hasSidecar(workload.value);
          return { ...one, inTemplate };
        }),
      );
      return { value: read, missing };
    };
  },
};

const hasSidecar = (workload: KubeObject) => sidecarOf(workloadOf(workload).spec.template.spec) !== null;

/** Workloads with sidecars: by their oldest pod, or by their template if no pod has the injector's annotation. */
export const sidecars = defineCollector({
  id: 'upgrade/sidecars',
  provides: ['sidecars'],
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

/** The workload of a pod. The ReplicaSet of a Deployment has its name and the hash that is a label of the pod. */
function makerOf(object: KubeObject | ObjectMetadata): Omit<Subject, 'detail'> {
  const { name, namespace, labels } = metadata.parse(object.metadata);
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (!owner) return { kind: 'Pod', namespace, name };
  const hash = labels['pod-template-hash'];
  return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
    ? { kind: 'Deployment', namespace, name: owner.name.slice(0, -hash.length - 1) }
    : { kind: String(owner.kind), namespace, name: String(owner.name) };
}
