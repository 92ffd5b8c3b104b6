import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import { deploymentStatusOf } from '../rollout.ts';

export type OtherOperators = {
  /** The cluster is one of `npm run cluster`, or a sandbox, where no other operator can run. */
  playground: boolean;
  ownNamespace: string;
  /** ConfigMap calico-system/active-operator. */
  active: KubeObject | null;
  /** Deployment tigera-operator in the namespace for which we would act. */
  deployment: KubeObject | null;
  /** DaemonSet calico-system/calico-node, with its managedFields. */
  calicoNode: KubeObject | null;
  nowMs: number;
};

const recentMs = 10 * 60_000;

/** Why our operator must not start, as a sentence. Null: it may. Two active operators would overwrite each other's settings on every node. */
export function refusalToStart(found: OtherOperators): string | null {
  if (found.playground) return null;
  const oursBefore = found.active?.metadata.annotations?.[names.operatorOwnerAnnotation] !== undefined;
  if (found.active) {
    const namespace = memberAt(found.active, 'data', names.activeNamespaceKey);
    const configMap = `ConfigMap ${names.calicoNamespace}/${names.activeOperatorConfigMap}`;
    if (typeof namespace === 'string' && namespace !== '' && namespace !== found.ownNamespace) {
      return `another operator is active: ${configMap} names namespace ${namespace}, and this one would act for ${found.ownNamespace}.`;
    }
    if (namespace === found.ownNamespace && !oursBefore) {
      return `another operator is active: ${configMap} names ${found.ownNamespace} and was not written by Signalbox.`;
    }
  }
  if (found.deployment && deploymentStatusOf(found.deployment).availableReplicas > 0) {
    return `another operator runs: Deployment ${found.ownNamespace}/${names.operatorDeployment} has available pods. Scale it to 0 first.`;
  }
  const written = oursBefore ? null : lastWrite(found.calicoNode);
  if (written !== null && found.nowMs - written < recentMs) {
    const minutes = Math.max(1, Math.round((found.nowMs - written) / 60_000));
    return `another operator was at work: field manager "${names.operatorFieldManager}" wrote DaemonSet ${names.calicoNamespace}/${names.nodeDaemonSet} ${minutes} min ago; 10 min of quiet are needed.`;
  }
  return null;
}

function lastWrite(object: KubeObject | null): number | null {
  const times = (object?.metadata.managedFields ?? [])
    .filter((entry) => entry.manager === names.operatorFieldManager && entry.time !== undefined)
    .map((entry) => Date.parse(entry.time ?? ''))
    .filter((time) => !Number.isNaN(time));
  return times.length > 0 ? Math.max(...times) : null;
}
