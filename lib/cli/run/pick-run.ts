import { isKubeError } from '#lib/kube/index.ts';
import { listRuns, unfinishedRun } from '#lib/run/index.ts';
import type { Invocation } from '../command.ts';
import { usageError } from '../exit.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { journalNamespacesOf } from './journal-namespaces.ts';
import { readShown } from './read-shown.ts';

/** Whether the journal was deleted from the cluster and this installation has a copy. */
async function isRemembered(invocation: Invocation, cluster: OpenCluster, run: string): Promise<boolean> {
  try {
    await readShown(invocation, cluster, run);
    return true;
  } catch (error) {
    if (isKubeError(error, 'not-found')) return false;
    throw error;
  }
}

/** The named run, or else the unfinished one, or (for undo and report) the newest. */
export async function pickRun(
  invocation: Invocation,
  cluster: OpenCluster,
  otherwise: 'unfinished' | 'newest',
): Promise<string> {
  const [name, ...more] = invocation.args;
  if (more.length > 0) throw usageError(`one RUN is needed, not ${invocation.args.length}`);
  const runs = await listRuns(cluster.kube, journalNamespacesOf(invocation));
  if (name !== undefined) {
    if (!runs.some((run) => run.run === name) && !(await isRemembered(invocation, cluster, name)))
      throw usageError(
        `RUN: there is no run ${JSON.stringify(name)} on this cluster${
          runs.length > 0
            ? `; there are ${runs
                .slice(0, 5)
                .map((run) => run.run)
                .join(', ')}`
            : ''
        }`,
      );
    return name;
  }
  const found = unfinishedRun(runs) ?? (otherwise === 'newest' ? runs[0] : undefined);
  if (!found)
    throw usageError(
      otherwise === 'newest'
        ? 'There is no run on this cluster.'
        : 'No run on this cluster is under way; `signalbox runs` lists those that have ended.',
    );
  return found.run;
}
