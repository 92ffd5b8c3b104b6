import { setTimeout as sleep } from 'node:timers/promises';
import { conditionsOf, rolloutCounts } from '#lib/kube/index.ts';
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
  const [daemonSets, deployments, statuses, installation] = await Promise.all([
    api.list('/apis/apps/v1/daemonsets'),
    api.list('/apis/apps/v1/deployments'),
    api.list('/apis/operator.tigera.io/v1/tigerastatuses'),
    api.get('/apis/operator.tigera.io/v1/installations/default'),
  ]);
  const conditions = conditionsOf(statuses.find(({ metadata }) => metadata.name === 'calico'));
  const holds = (type: string, status: string) =>
    conditions.some(
      (each) =>
        each.type === type &&
        each.status === status &&
        // In its first ticks a new operator process reports only that it has found nothing wrong.
        each.reason === 'AllObjectsAvailable' &&
        each.observedGeneration === generationOf(installation),
    );
  const isSo =
    daemonSets.some(({ metadata }) => metadata.name === 'calico-node') &&
    // Lists name no kind in their items.
    daemonSets.every((each) => rolloutCounts({ ...each, kind: 'DaemonSet' }).complete) &&
    deployments.every((each) => rolloutCounts({ ...each, kind: 'Deployment' }).complete) &&
    holds('Available', 'True') &&
    holds('Progressing', 'False') &&
    holds('Degraded', 'False') &&
    (installation.status as { calicoVersion?: string } | undefined)?.calicoVersion !== undefined;
  return isSo ? installation.metadata.resourceVersion : undefined;
}

const generationOf = ({ metadata }: KubeObject) => metadata.generation ?? 0;
