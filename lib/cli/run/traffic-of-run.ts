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
 * What flows said of a run: as the console of this machine tells it, which has the history, else as one kept it. Null: nothing is known. Never rejects for
 * what is read here: what cannot be read is said, and the report goes on.
 */
export async function trafficOfRun(
  { env, terminal }: Pick<Invocation, 'env' | 'terminal'>,
  cluster: OpenCluster,
  report: Report,
): Promise<ChangesOfRun | null> {
  const { kube } = cluster;
  const inConsole = inTheConsole(cluster);
  // A sandbox that no console has open has its name there all the same.
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
  const kept = keptTraffic({ stateFolder: folder, histories: { kept: async () => null }, memory, log });
  return kept.of(clusterSlug(named.kind, named.name), report);
}

/** Why a report of a run on a cluster with flow logs says nothing of traffic. */
export const notRecorded =
  'Traffic before and since this run is not compared: no console of this machine has flows of both. A console records the runs that it carries: `signalbox console`.';

/** What keeps it from being read is no matter of the report: it is told nothing then. */
export async function hasFlowLogs({ kube }: Pick<OpenCluster, 'kube'>): Promise<boolean> {
  return (await kube.get({ resource: resources.goldmanes, name: 'default' }).catch(() => null)) !== null;
}
