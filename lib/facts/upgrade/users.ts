import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { namedByPods, names, resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import type { Listing } from '../reading/session.ts';
import { allDeploymentListing, daemonSetListing, statefulSetListing } from '../reading/sources.ts';

import { podsOfInterest } from './named-pods.ts';

const namespace = names.systemNamespace;
const jobListing: Listing = { resources: [resources.jobs], detail: 'full', namespace };
const cronJobListing: Listing = { resources: [resources.cronJobs], detail: 'full', namespace };

/** Whether the object has no owner: owned ones are described by their owner. */
const isOnItsOwn = ({ metadata }: KubeObject | ObjectMetadata) =>
  metadata.namespace === namespace && !metadata.ownerReferences?.some(({ controller }) => controller === true);

const usesOf = (kind: string) => (object: KubeObject | ObjectMetadata) => {
  const uses = isOnItsOwn(object) ? [...namedByPods(object, namespace)].sort() : [];
  return uses.length === 0 ? null : { user: `${namespace}/${kind}/${object.metadata.name}`, uses };
};

const pods = podsOfInterest((pod) =>
  isOnItsOwn(pod) ? { group: `${pod.metadata.name}`, created: String(pod.metadata.creationTimestamp ?? '') } : null,
);

/**
 * Objects of kube-system that workloads there use. An object that a new release no longer has may be used by somebody else's workload. Only for
 * installations by manifest.
 */
export const users = defineCollector({
  id: 'upgrade/users',
  provides: ['users'],
  reads: {
    deployments: picked(allDeploymentListing, usesOf('Deployment')),
    daemonSets: picked(daemonSetListing, usesOf('DaemonSet')),
    statefulSets: picked(statefulSetListing, usesOf('StatefulSet')),
    jobs: picked(jobListing, usesOf('Job')),
    cronJobs: picked(cronJobListing, usesOf('CronJob')),
    pods,
  },
  collect: ({ deployments, daemonSets, statefulSets, jobs, cronJobs, pods: alone }) => ({
    upgrade: {
      users: [
        ...[deployments, daemonSets, statefulSets, jobs, cronJobs].flatMap(({ value }) => value),
        ...alone.value.flatMap(({ pod }) => usesOf('Pod')(pod) ?? []),
      ],
    },
  }),
});
