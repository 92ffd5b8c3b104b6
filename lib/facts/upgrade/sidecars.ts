import { isRecord } from '#lib/base/records.ts';
import { type KubeObject, type ObjectMetadata, podOf } from '#lib/kube/index.ts';
import { fields, listOf, text } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import type { Query } from '../reading/query.ts';
import { versionOfImage } from '../reading/workload.ts';
import type { Subject } from '../schema.ts';
import { type PodOfInterest, podsOfInterest } from './named-pods.ts';

/** What Istio's injector leaves on a pod: JSON with the names of the containers that it added. */
const injected = 'sidecar.istio.io/status';
/** The sidecar of application layer policy (calico.md §1.2 › alp). */
const sidecar = 'dikastes';

type Carrier = PodOfInterest & { readonly workload: Omit<Subject, 'detail'> };

const carriers = podsOfInterest((object): Carrier | null => {
  const status = object.metadata.annotations?.[injected];
  if (typeof status !== 'string' || !status.includes(sidecar) || !isInjected(status)) return null;
  const workload = workloadOf(object);
  const created = String(object.metadata.creationTimestamp ?? '');
  return { group: JSON.stringify(workload), created, workload };
});

const templated: readonly Resource[] = [resources.deployments, resources.daemonSets, resources.statefulSets];
const templateOf = fields({
  spec: fields({ template: fields({ spec: fields({ containers: listOf(fields({ name: text })) }) }) }),
});

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

const hasSidecar = (workload: KubeObject) =>
  templateOf.parse(workload).spec.template.spec.containers.some(({ name }) => name === sidecar);

/** One row a workload, from its oldest pod: that is the one that was injected first. */
export const sidecars = defineCollector({
  id: 'upgrade/sidecars',
  tells: ['sidecars'],
  reads: { carriers: carriersOfWorkloads },
  collect: ({ carriers: { value } }) => ({
    upgrade: {
      sidecars: value.flatMap(({ of: { workload }, pod: object, inTemplate }) =>
        podOf(object)
          .spec.containers.filter(({ name }) => name === sidecar)
          .map(({ image }) => ({
            subject: { ...workload, detail: `carries ${image}` },
            image,
            version: versionOfImage(image),
            ...(inTemplate ? { inTemplate } : {}),
          })),
      ),
    },
  }),
});

function isInjected(status: string): boolean {
  try {
    const parsed: unknown = JSON.parse(status);
    return isRecord(parsed) && Array.isArray(parsed.containers) && parsed.containers.includes(sidecar);
  } catch {
    return false;
  }
}

/** A Deployment's pods belong to a ReplicaSet, whose name ends in the hash that is on the pod too. */
function workloadOf(object: KubeObject | ObjectMetadata): Omit<Subject, 'detail'> {
  const { name, namespace, labels } = metadata.parse(object.metadata);
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (!owner) return { kind: 'Pod', namespace, name };
  const hash = labels['pod-template-hash'];
  return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
    ? { kind: 'Deployment', namespace, name: owner.name.slice(0, -hash.length - 1) }
    : { kind: String(owner.kind), namespace, name: String(owner.name) };
}
