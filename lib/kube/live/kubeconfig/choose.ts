import type { FromFile, Kubeconfig } from './load.ts';
import { kubeconfigProblem } from './problem.ts';
import type { ClusterEntry, ContextEntry, UserEntry } from './schema.ts';

/** A context with the cluster and the user that it names. */
export type ChosenContext = {
  readonly name: string;
  readonly context: FromFile<ContextEntry>;
  readonly clusterName: string;
  readonly cluster: FromFile<ClusterEntry>;
  readonly userName: string | null;
  readonly user: FromFile<UserEntry> | null;
};

/** `wanted`: --context; null: current-context. Rejects with `invalid`, naming flag or field and what could be meant. */
export function chooseContext(config: Kubeconfig, wanted: string | null): ChosenContext {
  const name = wanted ?? config.currentContext?.value;
  const known = [...config.contexts.keys()].map((each) => `"${each}"`).join(', ');
  if (name === undefined) {
    throw kubeconfigProblem('--context', `no current-context is set${known ? `; one of ${known} is needed` : ''}.`);
  }
  const context = config.contexts.get(name);
  if (!context) {
    const where = wanted === null ? `current-context, in ${config.currentContext?.file}` : '--context';
    throw kubeconfigProblem(
      where,
      `there is no context "${name}"${known ? `; there are ${known}` : ` in ${config.looked.join(', ')}`}.`,
    );
  }
  const at = (field: string) => `contexts "${name}": ${field}, in ${context.file}`;
  const clusterName = context.value.cluster;
  if (clusterName === null) throw kubeconfigProblem(at('cluster'), 'no cluster is named.');
  const cluster = config.clusters.get(clusterName);
  if (!cluster) throw kubeconfigProblem(at('cluster'), `there is no cluster "${clusterName}".`);
  const userName = context.value.user;
  const user = userName === null ? null : config.users.get(userName);
  if (user === undefined) throw kubeconfigProblem(at('user'), `there is no user "${userName}".`);
  return { name, context, clusterName, cluster, userName, user };
}
