import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type KubeObject } from '../api.ts';
import type { Plane } from '../plane.ts';

/**
 * Whether every workload has rolled out, the operator reports so for the newest Installation, and the Installation is the same a second later. The second
 * read is needed because the version is set and unset a few times when it first appears (the race `version-flicker` of the operator's stand-in).
 */
export async function isSettled(plane: Pick<Plane, 'api'>): Promise<boolean> {
  const seen = await look(plane);
  if (seen === undefined) return false;
  await sleep(staysForMs);
  return (await look(plane)) === seen;
}

const staysForMs = 1_000;

/** The revision of the Installation that the operator has rolled out; `undefined` until then. */
async function look({ api }: Pick<Plane, 'api'>): Promise<string | undefined> {
  try {
    return await settledRevision(api);
  } catch (error) {
    // A kind whose CRD was just created is not served yet (404), or its storage is not ready (429).
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function settledRevision(api: Plane['api']): Promise<string | undefined> {
  const [workloads, deployments, statuses, installation] = await Promise.all([
    api.list('/apis/apps/v1/daemonsets'),
    api.list('/apis/apps/v1/deployments'),
    api.list('/apis/operator.tigera.io/v1/tigerastatuses'),
    api.get('/apis/operator.tigera.io/v1/installations/default'),
  ]);
  const calico = statuses.find(({ metadata }) => metadata.name === 'calico') as KubeObject | undefined;
  const conditions = ((calico?.status as { conditions?: Condition[] })?.conditions ?? []) as Condition[];
  const holds = (type: string, status: string) =>
    conditions.some(
      (each) =>
        each.type === type &&
        each.status === status &&
        // In its first ticks a new operator process reports only that it has found nothing wrong.
        each.reason === 'AllObjectsAvailable' &&
        each.observedGeneration === generationOf(installation as KubeObject),
    );
  const isSo =
    workloads.some(({ metadata }) => metadata.name === 'calico-node') &&
    [...workloads, ...deployments].every((each) => isRolledOut(each as KubeObject)) &&
    holds('Available', 'True') &&
    holds('Progressing', 'False') &&
    holds('Degraded', 'False') &&
    (installation.status as { calicoVersion?: string } | undefined)?.calicoVersion !== undefined;
  return isSo ? (installation as KubeObject).metadata.resourceVersion : undefined;
}

type Condition = { type: string; status: string; reason?: string; observedGeneration?: number };
type Counters = Partial<
  Record<
    | 'observedGeneration'
    | 'desiredNumberScheduled'
    | 'updatedNumberScheduled'
    | 'numberAvailable'
    | 'replicas'
    | 'updatedReplicas'
    | 'availableReplicas',
    number
  >
>;

const generationOf = ({ metadata }: KubeObject) => (metadata as { generation?: number }).generation ?? 0;

function isRolledOut(object: KubeObject): boolean {
  const status = (object.status ?? {}) as Counters;
  if ((status.observedGeneration ?? 0) < generationOf(object)) return false;
  if (object.kind === 'DaemonSet' || status.desiredNumberScheduled !== undefined) {
    const desired = status.desiredNumberScheduled ?? 0;
    return (status.updatedNumberScheduled ?? 0) === desired && (status.numberAvailable ?? 0) === desired;
  }
  const wanted = (object.spec as { replicas?: number }).replicas ?? 1;
  return [status.replicas, status.updatedReplicas, status.availableReplicas].every((count) => (count ?? 0) === wanted);
}
