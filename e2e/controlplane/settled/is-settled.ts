import { ApiError, type KubeObject } from '../api.ts';
import type { Plane } from '../plane.ts';

/** Every workload has rolled out, and the operator says so for the newest Installation. */
export function isSettled(plane: Plane): Promise<boolean> {
  return look(plane).catch((error: unknown) => {
    // A kind that was defined a moment ago is not served yet (404), or its storage is only being made (429).
    if (error instanceof ApiError) return false;
    throw error;
  });
}

async function look({ api }: Plane): Promise<boolean> {
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
        // A process that has just started says for its first ticks that it knows of nothing wrong, and no more.
        each.reason === 'AllObjectsAvailable' &&
        each.observedGeneration === generationOf(installation as KubeObject),
    );
  return (
    workloads.some(({ metadata }) => metadata.name === 'calico-node') &&
    [...workloads, ...deployments].every((each) => isRolledOut(each as KubeObject)) &&
    holds('Available', 'True') &&
    holds('Progressing', 'False') &&
    holds('Degraded', 'False') &&
    (installation.status as { calicoVersion?: string } | undefined)?.calicoVersion !== undefined
  );
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
