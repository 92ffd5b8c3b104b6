import { containerNamed, type KubeObject, type Workload, workloadOf } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { Query } from '../reading/query.ts';
import { picked } from '../reading/query.ts';
import type { Reading } from '../reading/reading.ts';
import { daemonSetListing, deploymentListing, tracked } from '../reading/sources.ts';
import { workloadId } from '../reading/workload.ts';

/**
 * Joins a list with readings of single objects of the same kind, each object once. If the list was refused, the single objects still count, and the list
 * stays missing.
 */
function together(
  listed: Query<Workload[]>,
  named: readonly Query<KubeObject | null>[],
  wanted: (workload: Workload) => boolean,
) {
  const query: Query<Workload[]> = {
    rules: [listed, ...named].flatMap(({ rules }) => rules),
    enlist: (session) => {
      const fetchList = listed.enlist(session);
      const fetchNamed = named.map((one) => one.enlist(session));
      return async (): Promise<Reading<Workload[]>> => {
        const [list, ...objects] = await Promise.all([fetchList(), ...fetchNamed.map((fetch) => fetch())]);
        const found = objects.flatMap(({ value }) => (value === null ? [] : [workloadOf(value)])).filter(wanted);
        const byId = new Map([...found, ...list.value].map((one) => [workloadId(one), one]));
        return { value: [...byId.values()], missing: list.missing };
      };
    },
  };
  return query;
}

const isAgent = (workload: Workload) => containerNamed(workload, names.nodeContainer) !== null;

/** DaemonSets with a container of the agent's name, in any namespace: of the operator, of a manifest, of Canal. */
export const agents = together(
  picked(daemonSetListing, (object) => {
    const workload = workloadOf(object);
    return isAgent(workload) ? workload : null;
  }),
  [tracked.operatorAgents, tracked.manifestAgents, tracked.canal, tracked.canalEtcd],
  isAgent,
);

/** Deployments of Typha, kube-controllers, Calico's API server and the operator, in any namespace. */
export const deployments = together(
  picked(deploymentListing, workloadOf),
  [
    tracked.operator,
    tracked.typha,
    tracked.kubeControllers,
    tracked.calicoApiServer,
    tracked.formerApiServer,
    tracked.manifestTypha,
    tracked.manifestKubeControllers,
  ],
  () => true,
);
