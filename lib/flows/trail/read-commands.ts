import { shellLine } from '#lib/text/index.ts';
import type { FlowEnd, PolicyHit, PolicyKind } from '../flow.ts';

/**
 * The commands that read policies. Kubernetes' policies are read by kubectl, Calico's by signalbox, which works whichever API a cluster serves them
 * by.
 */
const readers: Readonly<Partial<Record<PolicyKind, readonly string[]>>> = {
  CalicoNetworkPolicy: ['signalbox', 'get', 'networkpolicies'],
  GlobalNetworkPolicy: ['signalbox', 'get', 'globalnetworkpolicies'],
  StagedNetworkPolicy: ['signalbox', 'get', 'stagednetworkpolicies'],
  StagedGlobalNetworkPolicy: ['signalbox', 'get', 'stagedglobalnetworkpolicies'],
  StagedKubernetesNetworkPolicy: ['signalbox', 'get', 'stagedkubernetesnetworkpolicies'],
  NetworkPolicy: ['kubectl', 'get', 'networkpolicies.networking.k8s.io'],
  AdminNetworkPolicy: ['kubectl', 'get', 'adminnetworkpolicies.policy.networking.k8s.io'],
  BaselineAdminNetworkPolicy: ['kubectl', 'get', 'baselineadminnetworkpolicies.policy.networking.k8s.io'],
  ClusterNetworkPolicy: ['kubectl', 'get', 'clusternetworkpolicies.policy.networking.k8s.io'],
};

/** The command that shows a policy; null for what is no object, such as an end of tier. */
export function policyCommand({
  kind,
  namespace,
  name,
}: Pick<PolicyHit, 'kind' | 'namespace' | 'name'>): string | null {
  const reader = readers[kind];
  if (reader === undefined || !isArgument(name)) return null;
  return shellLine(...reader, name, ...(namespace === null ? [] : ['-n', namespace]), '-o', 'yaml');
}

/** The command that lists the pods of an end; null if it has none, or nothing selects them. */
export function podsCommand({ kind, namespace, name, labels }: FlowEnd): string | null {
  if (kind !== 'workload' || namespace === null) return null;
  const chosen = name.endsWith('*') ? (labels.length === 0 ? null : ['-l', labels.join(',')]) : [name];
  if (chosen === null || (chosen.length === 1 && !isArgument(name))) return null;
  return shellLine('kubectl', 'get', 'pods', ...chosen, '-n', namespace, '-o', 'wide');
}

/** A name that begins with a hyphen would be taken for an option. Any other is quoted: an aggregator may name what Kubernetes would not. */
const isArgument = (name: string) => name !== '' && !name.startsWith('-');
