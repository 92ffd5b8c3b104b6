import { proxyIsOff as isOffByFacts, proxyAfterPlan } from '#lib/checks/index.ts';
import { type ObjectRef, platformOf, proxyManagementPath, proxyManagementSetting } from '#lib/spec/index.ts';
import { fieldAt } from '../objects/field.ts';
import { felix, installation, kubeProxy, openshiftProxy } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';

/** How this cluster's service proxy is removed, or why it is not. */
export type ProxyRemoval =
  /** It stays beside eBPF, by choice or because nothing can turn it off. The cleanup flag then stays false. */
  | 'stays'
  /** There is no proxy. */
  | 'none'
  | 'daemonset'
  /** The operator turns it off, if the cluster uses `kubeProxyManagement` already or it was chosen. */
  | 'managed'
  | 'openshift'
  /** Only the administrator can turn it off. */
  | 'instructions';

type Known = Pick<PlanContext, 'facts' | 'choices'>;

/** How the plan removes the service proxy, by facts and answers. Pure. */
export function proxyRemoval(known: Known): ProxyRemoval {
  const { facts, choices } = known;
  if (choices.keepProxy) return 'stays';
  if (facts.proxy.kind === 'none') return 'none';
  if (facts.proxy.kind === 'daemonset' && isManaged(known)) return 'managed';
  // Decided as in the check `proxy.no-double-management`: the plan leaves alone a proxy that the check expects to stay.
  if (facts.proxy.kind === 'unknown' || proxyAfterPlan(facts, choices).runs === true) return 'stays';
  if (facts.proxy.kind === 'openshift') return 'openshift';
  if (facts.proxy.kind !== 'daemonset') return 'instructions';
  return platformOf(known).proxy.by === 'instructions' && facts.proxy.running !== false ? 'instructions' : 'daemonset';
}

/** Whether management was chosen or found. The operator would then restore its key, or turn the proxy off at any moment. */
function isManaged({ facts, choices }: Known): boolean {
  if (choices.goal === 'install' && choices.automatic === true) return true;
  const chosen = choices.set[proxyManagementSetting];
  return (chosen ?? fieldAt(objectOf(facts.resources.objects, installation), proxyManagementPath)) === 'Enabled';
}

/** The proxy's DaemonSet; null if it has none. */
export function proxyDaemonSet({ facts }: Pick<PlanContext, 'facts'>): ObjectRef | null {
  const daemonSets: Partial<Record<typeof facts.proxy.kind, ObjectRef>> = {
    daemonset: kubeProxy,
    openshift: openshiftProxy,
  };
  return daemonSets[facts.proxy.kind] ?? null;
}

/** Whether no service proxy runs, as far as the facts show. */
export function proxyIsOff({ facts }: Pick<PlanContext, 'facts'>): boolean {
  return isOffByFacts(facts) === true;
}

/** Whether eBPF was on before the plan, by a run or by hand, so that it is on after the undo too. */
export function wasOn({ facts }: Pick<PlanContext, 'facts'>): boolean {
  return fieldAt(objectOf(facts.resources.objects, felix({ facts })), ['spec', 'bpfEnabled']) === true;
}

/** Nothing is left to do: eBPF is set and in effect, and no service proxy runs. */
export function isFinished({ facts }: Pick<PlanContext, 'facts'>): boolean {
  const { wanted, actual } = facts.installation.dataplane;
  return wanted === 'BPF' && actual === 'BPF' && proxyIsOff({ facts });
}
