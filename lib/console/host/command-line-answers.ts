import { fitting } from '#lib/flows/in-browser.ts';
import type { HostAnswer, Slug } from '../host.ts';
import { longestLineBytes, type Replies } from '../instance/instance-protocol.ts';
import type { ServeSandbox } from '../instance/instance-server.ts';
import type { flowHistories } from '../streams/index.ts';
import type { Catalogue } from './clusters/cluster-catalogue.ts';
import { clusterSlug } from './clusters/cluster-slug.ts';
import { namedCluster } from './clusters/named-cluster.ts';
import type { OpenClusters } from './clusters/open-clusters.ts';
import { answering } from './failures.ts';
import { mostFlows } from './flows/flow-answers.ts';
import type { HostLog } from './host-log.ts';
import { Refused } from './refused.ts';
import { handedOver } from './runs/handed-over.ts';
import type { Starts } from './runs/starts.ts';
import type { AskedHost } from './shown-host.ts';

export type CommandLineAnswers = {
  /**
   * Starts a plan that was reviewed and confirmed on the command line of this machine, and returns where to follow it. Both are parsed here:
   * `cluster` is `{ kind, name }` as in ClusterEntry.
   */
  carryPlan(plan: unknown, cluster: unknown): Promise<HostAnswer<{ cluster: Slug; run: string }>>;
  /**
   * Flows of the history for the command line of this machine. `cluster` is parsed here, `query` is the text as typed, `uid` is the cluster's UID as
   * the command line sees it.
   */
  flowsFor(cluster: unknown, query: string, uid: string | null): Promise<Replies['flows']>;
  /** The flows of a run, compared before and after, for the command line of this machine. `cluster` and `uid` as for `flowsFor`. */
  trafficFor(cluster: unknown, run: string, uid: string | null): Promise<Replies['traffic']>;
  /** Serves a sandbox to the command line of this machine, which cannot open it while this process has it open. */
  serveSandbox: ServeSandbox;
};

/** What the command line of this machine asks of the console's process. */
export function commandLineAnswers({
  catalogue,
  clusters,
  histories,
  started,
  host,
  log,
}: {
  catalogue: Catalogue;
  clusters: OpenClusters;
  histories: ReturnType<typeof flowHistories>;
  started: Starts;
  host: Pick<AskedHost, 'keptFlows' | 'trafficSince'>;
  log: HostLog;
}): CommandLineAnswers {
  /** The cluster that the command line names, if it has the same UID here. */
  const meantBy = async (where: unknown, uid: string | null): Promise<HostAnswer<Slug>> => {
    const cluster = namedCluster(where);
    if (cluster === null) return { ok: false, code: 'cluster.not-found', message: 'No cluster is named.' };
    const { kind, slug } = cluster;
    if (kind === 'sandbox' || (uid !== null && (await histories.uidOf(slug).catch(() => null)) === uid))
      return { ok: true, value: slug };
    return {
      ok: false,
      code: 'flows.other-cluster',
      message:
        'Not verified that the console reaches the same cluster under this name: the UID of Namespace kube-system differs, or was not read.',
    };
  };

  return {
    carryPlan: (given, where) =>
      answering(log, 'plan from the command line', async () => {
        const { plan, cluster } = handedOver(given, where);
        await catalogue.find(cluster);
        const run = await started.carry(cluster, plan);
        return { cluster, run };
      }),
    flowsFor: async (where, query, uid) => {
      const meant = await meantBy(where, uid);
      if (!meant.ok) return meant;
      const answer = await host.keptFlows(meant.value, query, mostFlows);
      if (!answer.ok) return answer;
      const { flows, isCut, since, until, note } = answer.value;
      const fit = fitting(flows, longestLineBytes / 2);
      return { ok: true, flows: fit, isCut: isCut || fit.length < flows.length, since, until, note };
    },
    trafficFor: async (where, run, uid) => {
      const meant = await meantBy(where, uid);
      if (!meant.ok) return meant;
      const answer = await host.trafficSince(meant.value, run);
      return answer.ok ? { ok: true, traffic: answer.value } : answer;
    },
    serveSandbox: (name) =>
      answering(log, 'sandbox for the command line', async () => {
        const { served, release } = await clusters.acquire(clusterSlug('sandbox', name));
        try {
          if (served === null) throw new Refused('cluster.no-sandbox', 'Only a sandbox is served.');
          return { kubeconfig: await served.kubeconfig(), closed: served.closed, release };
        } catch (error) {
          release();
          throw error;
        }
      }),
  };
}
