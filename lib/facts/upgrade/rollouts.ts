import { counted } from '#lib/base/words.ts';
import { landingPodOf, type Workload } from '#lib/kube/index.ts';
import { cannotLand, isByOperator, names } from '#lib/spec/index.ts';
import { agents, deployments } from '../calico/agents.ts';
import { isOperator } from '../calico/unfinished.ts';
import { everyNode, type SurveyedNode } from '../cluster/nodes.ts';
import { defineCollector } from '../collector.ts';
import type { Facts } from '../schema.ts';

type Stuck = Facts['upgrade']['stuck'][number];

/**
 * Workloads whose rollout would never end, because of their settings or because no node takes their pods. PodDisruptionBudgets do not matter:
 * Deployments and DaemonSets ignore them in a rollout (kubernetes.io › Disruptions: "not limited by PDBs when doing rolling upgrades").
 */
export const rollouts = defineCollector({
  id: 'upgrade/rollouts',
  provides: ['rollouts'],
  reads: { everyNode, agents, deployments },
  collect: ({ everyNode: nodes, agents: daemons, deployments: others }, { installation }) => ({
    upgrade: {
      stuck: [
        ...(isByOperator(installation) ? [...daemons.value, ...others.value].flatMap(ofIgnored) : []),
        ...daemons.value.flatMap((one) =>
          one.spec.updateStrategy.type === 'OnDelete'
            ? [stuck(one, 'on-delete', 'a pod gets its new release only when somebody deletes it (OnDelete)')]
            : [],
        ),
        ...others.value.flatMap((one) => ofDeployment(one, nodes.value)),
      ],
    },
  }),
});

/** The operator leaves a workload with this annotation as it is. Its own Deployment is not its work. */
function ofIgnored(workload: Workload): Stuck[] {
  const isIgnored = workload.metadata.annotations[names.ignoreAnnotation] === 'true';
  return isIgnored && !isOperator(workload)
    ? [stuck(workload, 'ignored', `the operator does not update it: annotation ${names.ignoreAnnotation} is set`)]
    : [];
}

function ofDeployment(workload: Workload, nodes: readonly SurveyedNode[]): Stuck[] {
  if (workload.spec.paused === true) return [stuck(workload, 'paused', 'its rollout is paused')];
  const pod = landingPodOf(workload.spec.template.spec);
  const reasons = nodes
    .filter(({ fact }) => !fact.virtual)
    .map(({ fact, landing }) => {
      if (!fact.ready) return 'NotReady';
      return fact.unschedulable ? 'cordoned' : cannotLand(landing, pod);
    });
  if (reasons.length === 0 || reasons.includes(null)) return [];
  const by = [...Map.groupBy(reasons, (reason) => reason)];
  const nodesByReason = by.map(([reason, of]) => `${counted(of.length, 'node')}: ${reason}`);
  return [stuck(workload, 'no-node', `no node takes its pod (${nodesByReason.join('; ')})`)];
}

function stuck({ kind, metadata: { name, namespace } }: Workload, by: Stuck['by'], detail: string): Stuck {
  return { subject: { kind, namespace, name, detail }, by };
}
