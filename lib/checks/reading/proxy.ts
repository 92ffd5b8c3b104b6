import type { Facts, Subject } from '#lib/facts/index.ts';
import { type Choices, installerOf, names, objectId, platforms, resources } from '#lib/spec/index.ts';
import type { FollowsFrom } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { isCovered } from '../framework/coverage.ts';
import { listed } from '../wording/sentences.ts';
import { isOfMicroK8s } from './installer.ts';
import { plannedCni } from './planned-cni.ts';

const inSystem = { namespace: names.systemNamespace, name: names.kubeProxyDaemonSet };
export const kubeProxyId = objectId({ resource: resources.daemonSets, ...inSystem });
export const kubeProxyConfigId = objectId({ resource: resources.configMaps, ...inSystem });
export const kubeProxyAccountId = objectId({ resource: resources.serviceAccounts, ...inSystem });

/** What a finding about the proxy names: its object where there is one, else the proxy itself. */
export function proxySubject({ proxy }: Facts, detail: string): Subject {
  switch (proxy.kind) {
    case 'daemonset':
      return { kind: 'DaemonSet', namespace: names.systemNamespace, name: names.kubeProxyDaemonSet, detail };
    case 'openshift':
      return { kind: 'Network', namespace: null, name: 'cluster', detail };
    default:
      return { kind: 'ServiceProxy', namespace: null, name: 'kube-proxy', detail };
  }
}

/** Not there, or scheduled on no node; null when that cannot be told. */
export function proxyIsOff({ proxy }: Facts): boolean | null {
  if (proxy.kind === 'none') return true;
  return proxy.running === null ? null : !proxy.running;
}

/** The service proxy is gone, and the data plane is not eBPF, or not on all nodes; false also where that cannot be told. */
export function areServicesDown(facts: Facts): boolean {
  const { actual } = facts.installation.dataplane;
  return (
    proxyIsOff(facts) === true && actual !== 'BPF' && actual !== 'unknown' && isCovered(facts, 'proxy', 'dataplane')
  );
}

/** Products that serve Services where no kube-proxy is seen to; `network.other-product` says what to do about them. */
export function servesInstead({ proxy, installation }: Facts): string[] {
  if (proxy.kind !== 'unknown' || proxy.running !== true) return [];
  return installation.otherNetworks.filter(({ serves }) => serves === true).map(({ product }) => product);
}

/** What to do where all was read and none of it shows the proxy: nothing has failed, so that nothing is to be repaired yet. Null: something was not read. */
export function lookAtTheProxy(facts: Facts): { remedy: Remedy } | null {
  if (facts.proxy.kind !== 'unknown' || !isCovered(facts, 'proxy')) return null;
  return {
    remedy: {
      steps: [
        'Look on a node whether a service proxy runs, and with which flags: the command shows them.',
        'Accept this with what you saw.',
      ],
      command: (isOfMicroK8s(facts) ? installerOf('microk8s')?.proxyFlags : undefined) ?? 'pgrep -af kube-proxy',
    },
  };
}

/** The answer of checks about the time after the plan, where `proxyAfterPlan` does not know. */
export function mayStillRun(facts: Facts) {
  return {
    ...lookAtTheProxy(facts),
    kind: 'unknown',
    because: 'A service proxy may still run after the plan: not verified.',
  } as const;
}

/** For the same checks: a tool that is paused lets the plan turn the proxy off, and without an operator there is no plan that could set anything. */
export const whileTheProxyMayStay: FollowsFrom = { 'managed-by.reconciler': 'open', 'enable.operator-needed': 'open' };

/** Its mode is unknown because its pods are being replaced, or wait for that: what `lib/facts/proxy/proxy-rollout.ts` tells. */
export function isProxyRollingOut({ proxy: { kind, mode, evidence } }: Facts): boolean {
  const isRollout = ({ path }: { path: string }) =>
    path === 'status.updatedNumberScheduled' || path === 'status.observedGeneration';
  return kind === 'daemonset' && mode === 'unknown' && evidence.some(isRollout);
}

/** Nothing to say of kube-proxy's rules, mode and port where it does not run. */
export function whereOthersServe(facts: Facts): { kind: 'skipped'; because: string } | null {
  const products = servesInstead(facts);
  return products.length === 0
    ? null
    : { kind: 'skipped', because: `Services are served by ${listed(products)} here, and by no kube-proxy.` };
}

/**
 * Whether the proxy still runs when the plan is done, and why: kept by choice, cannot be disabled, or written by others
 * (checks.md › proxy.no-double-management).
 */
export function proxyAfterPlan(
  facts: Facts,
  choices: Choices,
): { runs: false } | { runs: true; because: string } | { runs: 'unknown' } {
  const { proxy } = facts;
  const off = proxyIsOff(facts);
  if (off === true) return { runs: false };
  if (choices.keepProxy === true) return { runs: true, because: 'you chose to keep it' };
  if (isOfMicroK8s(facts) && proxy.kind === 'unknown')
    return { runs: true, because: 'MicroK8s runs it in one process with the kubelet' };
  if (off === null || proxy.kind === 'unknown') return { runs: 'unknown' };

  const platform = platforms[choices.platform ?? facts.platform.kind];
  const removal = platform.proxy;
  if ('onlyWithCni' in removal) {
    const cni = plannedCni(facts, choices);
    if (cni === null) return { runs: 'unknown' };
    if (cni !== removal.onlyWithCni)
      return { runs: true, because: `${platform.title} puts it back where the network is the provider's` };
  }
  if (!platform.ebpf.supported)
    return { runs: true, because: `no plan turns it off on ${platform.title}, where eBPF mode is not supported` };
  // Outside of a DaemonSet only the administrator can turn it off, and the plan waits for that.
  if (removal.by === 'instructions' || proxy.kind !== 'daemonset') return { runs: false };
  return proxy.managedBy === null || isOperatorsToTurnOff(facts, choices) || isManagerPaused(facts, choices)
    ? { runs: false }
    : { runs: true, because: `its DaemonSet is managed by ${proxy.managedBy}` };
}

/** What a remedy offers beside leaving the proxy alone, where a plan can turn it off once it is not kept. */
export function orTurnOff(facts: Facts, choices: Choices): string[] {
  const { runs } = proxyAfterPlan(facts, { ...choices, keepProxy: false });
  return runs === false ? ['Or let the plan turn the service proxy off.'] : [];
}

/** The tool that writes the DaemonSet was told to leave it alone for now, as read or, where this cluster does not show it, as accepted (`managed-by.reconciler`). */
export function isManagerPaused({ proxy, resources: { ownership } }: Facts, { acknowledge }: Choices): boolean {
  const marks = ownership.filter(({ object, by }) => object === kubeProxyId && by === proxy.managedBy);
  const isAccepted = acknowledge['managed-by.reconciler'] !== undefined;
  return (
    marks.some(({ state }) => state === 'paused') ||
    (isAccepted && marks.length > 0 && marks.every(({ state }) => state === 'hidden'))
  );
}

/** `kubeProxyManagement`: the operator's own switch, which it also counts as a manager of the DaemonSet (calico.md §3.6). */
function isOperatorsToTurnOff({ proxy }: Facts, choices: Choices): boolean {
  return (
    proxy.managedBy === names.operatorDeployment &&
    (choices.set['calicoNetwork.kubeProxyManagement'] ?? 'Enabled') === 'Enabled'
  );
}
