import { podTemplateHashLabel } from './replica-set.ts';
import { revisionAnnotation } from './revision-annotation.ts';
import type { DeploymentShape, ReplicaSetShape } from './shapes.ts';
import { templateHash } from './template-hash.ts';

type Condition = DeploymentShape['status']['conditions'][number];

export type DeploymentDecision = {
  hash: string;
  revision: string;
  /** Number of replicas for a new ReplicaSet. Null: none is created. */
  create: number | null;
  scale: { replicaSet: ReplicaSetShape; replicas: number }[];
  /** Old and empty ReplicaSets beyond revisionHistoryLimit. */
  remove: ReplicaSetShape[];
  status: Record<string, unknown>;
};

/**
 * One turn of the Deployment controller (kubernetes/pkg/controller/deployment: rolling.go, recreate.go, progress.go), without proportional scaling,
 * pausing and the progress deadline. The status is computed from what was seen before this turn's acts.
 */
export function decideDeployment(
  deployment: DeploymentShape,
  replicaSets: readonly ReplicaSetShape[],
  now: string,
): DeploymentDecision {
  const { spec } = deployment;
  const hash = templateHash(spec.template);
  const fresh = replicaSets.find((each) => each.metadata.labels[podTemplateHashLabel] === hash);
  const old = replicaSets.filter((each) => each !== fresh);
  const revision = revisionFor(fresh, old);
  const limits = limitsOf(deployment);
  const { create, scale } =
    spec.strategy.type === 'Recreate'
      ? recreate(spec.replicas, fresh, old)
      : roll(spec.replicas, fresh, old, limits.surge, limits.unavailable);
  const idle = old.filter((each) => each.spec.replicas === 0 && each.status.replicas === 0).sort(byRevision);
  const historyLimit = numberOf(spec.revisionHistoryLimit, 10);
  return {
    hash,
    revision,
    create,
    scale,
    remove: idle.slice(0, Math.max(0, idle.length - historyLimit)),
    status: statusOf(deployment, fresh, replicaSets, limits.unavailable, hash, now),
  };
}

type Scaling = { create: number | null; scale: { replicaSet: ReplicaSetShape; replicas: number }[] };

/** Strategy Recreate: new pods start once the last old one is gone. */
function recreate(replicas: number, fresh: ReplicaSetShape | undefined, old: readonly ReplicaSetShape[]): Scaling {
  const running = old.filter((each) => each.spec.replicas > 0);
  if (running.length > 0) return { create: null, scale: running.map((replicaSet) => ({ replicaSet, replicas: 0 })) };
  if (old.some((each) => each.status.replicas > 0)) return { create: null, scale: [] };
  if (!fresh) return { create: replicas, scale: [] };
  return { create: null, scale: fresh.spec.replicas === replicas ? [] : [{ replicaSet: fresh, replicas }] };
}

function roll(
  replicas: number,
  fresh: ReplicaSetShape | undefined,
  old: readonly ReplicaSetShape[],
  surge: number,
  maxUnavailable: number,
): Scaling {
  const wanted = (sets: readonly ReplicaSetShape[]) => sets.reduce((sum, each) => sum + each.spec.replicas, 0);
  const freshReplicas = fresh?.spec.replicas ?? 0;
  const room = replicas + surge - wanted(old) - freshReplicas;
  const grown =
    freshReplicas > replicas ? replicas : freshReplicas + Math.max(0, Math.min(room, replicas - freshReplicas));
  if (!fresh) return { create: grown, scale: [] };
  if (grown !== freshReplicas) return { create: null, scale: [{ replicaSet: fresh, replicas: grown }] };

  const freshUnavailable = freshReplicas - fresh.status.readyReplicas;
  let mayGo = wanted(old) + freshReplicas - (replicas - maxUnavailable) - freshUnavailable;
  const scale: Scaling['scale'] = [];
  for (const replicaSet of old) {
    const unready = replicaSet.spec.replicas - replicaSet.status.readyReplicas;
    const removable = Math.min(Math.max(mayGo, 0), replicaSet.spec.replicas);
    const going =
      unready > 0 ? Math.max(removable, Math.min(unready, replicaSet.spec.replicas, Math.max(mayGo, 0))) : removable;
    if (going === 0) continue;
    mayGo -= going;
    scale.push({ replicaSet, replicas: replicaSet.spec.replicas - going });
  }
  return { create: null, scale };
}

function statusOf(
  deployment: DeploymentShape,
  fresh: ReplicaSetShape | undefined,
  all: readonly ReplicaSetShape[],
  maxUnavailable: number,
  hash: string,
  now: string,
): Record<string, unknown> {
  const wanted = deployment.spec.replicas;
  const desired = all.reduce((sum, each) => sum + each.spec.replicas, 0);
  const running = all.reduce((sum, each) => sum + each.status.replicas, 0);
  const ready = all.reduce((sum, each) => sum + each.status.readyReplicas, 0);
  const updated = fresh?.status.replicas ?? 0;
  const complete = updated === wanted && running === wanted && ready === wanted;

  let conditions = withCondition(
    deployment.status.conditions,
    ready >= wanted - maxUnavailable
      ? ['Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.']
      : ['Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'],
    now,
  );
  const name = `"${deployment.metadata.name}-${hash}"`;
  conditions = withCondition(
    conditions,
    !fresh
      ? ['Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set ${name}`]
      : complete
        ? ['Progressing', 'True', 'NewReplicaSetAvailable', `ReplicaSet ${name} has successfully progressed.`]
        : ['Progressing', 'True', 'ReplicaSetUpdated', `ReplicaSet ${name} is progressing.`],
    now,
  );
  return {
    availableReplicas: ready || null,
    conditions,
    observedGeneration: deployment.metadata.generation,
    readyReplicas: ready || null,
    replicas: running || null,
    // Kubernetes writes it since 1.35 even when it is zero, as the recordings show.
    terminatingReplicas: 0,
    unavailableReplicas: Math.max(0, desired - ready) || null,
    updatedReplicas: updated || null,
  };
}

/**
 * Leaves the conditions alone where status, reason and message stay. A condition whose status stays keeps its transition time. A changed condition
 * goes last.
 */
function withCondition(
  conditions: readonly Condition[],
  [type, status, reason, message]: readonly [string, string, string, string],
  now: string,
): Condition[] {
  const before = conditions.find((each) => each.type === type);
  if (before && before.status === status && before.reason === reason && before.message === message)
    return [...conditions];
  const since = before?.status === status ? (before.lastTransitionTime ?? now) : now;
  return [
    ...conditions.filter((each) => each.type !== type),
    { lastTransitionTime: since, lastUpdateTime: now, message, reason, status, type },
  ];
}

function limitsOf({ spec }: DeploymentShape): { surge: number; unavailable: number } {
  if (spec.strategy.type === 'Recreate') return { surge: 0, unavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy.rollingUpdate ?? {};
  const surge = resolved(maxSurge, spec.replicas, Math.ceil);
  const unavailable = resolved(maxUnavailable, spec.replicas, Math.floor);
  return { surge, unavailable: surge + unavailable === 0 ? 1 : unavailable };
}

function resolved(value: number | string, replicas: number, round: (exact: number) => number): number {
  return typeof value === 'number' ? value : round((replicas * Number.parseFloat(value)) / 100);
}

function revisionFor(fresh: ReplicaSetShape | undefined, old: readonly ReplicaSetShape[]): string {
  const newestOld = Math.max(0, ...old.map(revisionOf));
  return String(fresh && revisionOf(fresh) > newestOld ? revisionOf(fresh) : newestOld + 1);
}

const revisionOf = (replicaSet: ReplicaSetShape): number =>
  Number(replicaSet.metadata.annotations[revisionAnnotation] ?? 0);
const byRevision = (a: ReplicaSetShape, b: ReplicaSetShape): number => revisionOf(a) - revisionOf(b);
const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
