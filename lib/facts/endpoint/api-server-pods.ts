import { podOf } from '#lib/kube/index.ts';
import type { Query } from '../reading/query.ts';
import { picked } from '../reading/query.ts';
import { controlPlanePodListings } from '../reading/sources.ts';
import { flagOf, versionOfImage } from '../reading/workload.ts';

/** A static pod of the control plane with its command line. */
type ControlPlanePod = { readonly object: string; readonly image: string; readonly command: readonly string[] };

/** Pods of a component of the control plane, by either of two labels. */
function podsOf<T>(component: string, tell: (pod: ControlPlanePod) => T): Query<T[]> {
  const queries = controlPlanePodListings.map((listing) =>
    picked(listing, (object): T | null => {
      const { metadata: meta, spec } = podOf(object);
      const container = spec.containers.find(({ name }) => name === component);
      if (!container) return null;
      const command = [...container.command, ...container.args];
      return tell({ object: `${meta.namespace ?? ''}/Pod/${meta.name}`, image: container.image, command });
    }),
  );
  return {
    rules: queries[0]?.rules ?? [],
    enlist: (session) => {
      const fetches = queries.map((query) => query.enlist(session));
      return async () => {
        const read = await Promise.all(fetches.map((fetch) => fetch()));
        return { value: read.flatMap(({ value }) => value), missing: read[0]?.missing ?? [] };
      };
    },
  };
}

const ranges = (flag: string | null) => (flag ?? '').split(',').filter((cidr) => cidr !== '');

/** An API server as a static pod, and its flags. */
export type ApiServerPod = {
  readonly object: string;
  readonly version: string | null;
  readonly serviceCidrs: readonly string[];
  readonly issuer: string | null;
};

/** The API servers that run as static pods. */
export const apiServerPods = podsOf(
  'kube-apiserver',
  ({ object, image, command }): ApiServerPod => ({
    object,
    version: versionOfImage(image),
    serviceCidrs: ranges(flagOf(command, 'service-cluster-ip-range')),
    issuer: flagOf(command, 'service-account-issuer'),
  }),
);

/** A controller manager as a static pod; it gives each node a range of the pods' network. */
export type ControllerManagerPod = {
  readonly object: string;
  readonly podCidrs: readonly string[];
  /** `--cluster-name`; null: unset or Kubernetes' default. kOps sets the cluster's name. */
  readonly clusterName: string | null;
};

/** The controller managers that run as static pods. */
export const controllerManagerPods = podsOf(
  'kube-controller-manager',
  ({ object, command }): ControllerManagerPod => ({
    object,
    podCidrs: ranges(flagOf(command, 'cluster-cidr')),
    clusterName: flagOf(command, 'cluster-name') || null,
  }),
);
