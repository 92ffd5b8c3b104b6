import { askConsole } from '#lib/console/ask-console.ts';
import { clusterSlug } from '#lib/console/host/clusters/cluster-slug.ts';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { clusterUid } from '#lib/kube/index.ts';
import type { Report } from '#lib/run/index.ts';
import { resources } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { keptTraffic } from '#lib/usecases/index.ts';
import type { Invocation } from '../command.ts';
import { inTheConsole } from '../in-the-console.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { memoryOf } from './read-shown.ts';

/**
 * Changes of traffic since a run: from this machine's console, which has the history, or else as a console saved them. Null: nothing is known. Errors of reading
 * are printed and do not reject, so that the report continues.
 */
export async function trafficOfRun(
  { env, terminal }: Pick<Invocation, 'env' | 'terminal'>,
  cluster: OpenCluster,
  report: Report,
): Promise<ChangesOfRun | null> {
  const { kube } = cluster;
  const inConsole = inTheConsole(cluster);
  // The console knows a sandbox by its name even if it is not open there.
  const named = inConsole ?? (kube.source === 'sandbox' ? { kind: 'sandbox' as const, name: kube.name } : null);
  if (named === null || report.foreign !== null) return null;
  const folder = await stateFolder(env);
  if (inConsole !== null) {
    const uid = await clusterUid(kube).catch(() => null);
    const reply = await askConsole(folder, { ask: 'traffic', cluster: named, run: report.run, uid });
    if (reply.ok) return reply.traffic;
  }
  const memory = await memoryOf({ env });
  const log = (line: string) => terminal.err(visibleLine(line));
  const runTraffic = keptTraffic({ stateFolder: folder, histories: { existing: async () => null }, memory, log });
  return runTraffic.of(clusterSlug(named.kind, named.name), report);
}

/** Why the report has nothing about traffic although the cluster has flow logs. */
export const notRecorded =
  'Traffic before and since this run is not compared: no console of this machine has flows of both. A console records the runs that it carries: `signalbox console`.';

/** Whether flow logs are on; false also if that cannot be read, which does not concern the report. */
export async function hasFlowLogs({ kube }: Pick<OpenCluster, 'kube'>): Promise<boolean> {
  return (await kube.get({ resource: resources.goldmanes, name: 'default' }).catch(() => null)) !== null;
}
