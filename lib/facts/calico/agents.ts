import { containerNamed, type KubeObject, type Workload, workloadOf } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { Query } from '../reading/query.ts';
import { picked } from '../reading/query.ts';
import type { Reading } from '../reading/reading.ts';
import { daemonSetListing, deploymentListing, tracked } from '../reading/sources.ts';
import { workloadId } from '../reading/workload.ts';

/**
 * Several readings of the same kind of thing as one, each thing once. When the list was refused and the objects by name were not,
 * what they show is there, and the list is still missing.
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

/** Calico's agent, wherever a DaemonSet runs a container of that name: operator, manifest, canal. */
export const agents = together(
  picked(daemonSetListing, (object) => {
    const workload = workloadOf(object);
    return isAgent(workload) ? workload : null;
  }),
  [tracked.operatorAgents, tracked.manifestAgents, tracked.canal, tracked.canalEtcd],
  isAgent,
);

/** Typha, kube-controllers, Calico's API server and the operator, in whatever namespace. */
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
