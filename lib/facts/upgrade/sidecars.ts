import { isRecord } from '#lib/base/records.ts';
import { type KubeObject, type ObjectMetadata, podOf } from '#lib/kube/index.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { defineCollector } from '../collector.ts';
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

/** One row a workload, from its oldest pod: that is the one that was injected first. */
export const sidecars = defineCollector({
  id: 'upgrade/sidecars',
  tells: ['sidecars'],
  reads: { carriers },
  collect: ({ carriers: { value } }) => ({
    upgrade: {
      sidecars: value.flatMap(({ of: { workload }, pod: object }) =>
        podOf(object)
          .spec.containers.filter(({ name }) => name === sidecar)
          .map(({ image }) => ({
            subject: { ...workload, detail: `carries ${image}` },
            image,
            version: versionOfImage(image),
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
