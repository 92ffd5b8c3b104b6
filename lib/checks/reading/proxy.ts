import type { FactKey, Facts, Subject } from '#lib/facts/index.ts';
import {
  type Choices,
  installerOf,
  names,
  objectId,
  platformOf,
  proxyManagementSetting,
  resources,
} from '#lib/spec/index.ts';
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

/** The subject of a finding about the proxy: its object, else the proxy itself. */
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

/** Whether there is no proxy, or one that runs on no node; null: unknown. */
export function proxyIsOff({ proxy }: Facts): boolean | null {
  if (proxy.kind === 'none') return true;
  return proxy.running === null ? null : !proxy.running;
}

/** Whether the service proxy is off and not all nodes are on eBPF. False also if that is unknown. */
export function areServicesDown(facts: Facts): boolean {
  const { actual } = facts.installation.dataplane;
  return (
    proxyIsOff(facts) === true && actual !== 'BPF' && actual !== 'unknown' && isCovered(facts, 'proxy', 'dataplane')
  );
}

/** Products that serve Services where no kube-proxy runs; `network.other-product` has the remedy. */
export function servesInstead({ proxy, installation }: Facts): string[] {
  if (proxy.kind !== 'unknown' || proxy.running !== true) return [];
  return installation.otherNetworks.filter(({ serves }) => serves === true).map(({ product }) => product);
}

/** The remedy if everything was read and no proxy was found: look for it. Null: something was not read. */
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

/** The result of checks about the time after the plan if `proxyAfterPlan` does not know. */
export function mayStillRun(facts: Facts) {
  return {
    ...lookAtTheProxy(facts),
    kind: 'unknown',
    because: 'A service proxy may still run after the plan: not verified.',
  } as const;
}

/** The result of the same checks if no kube-proxy runs then. A proxy that is off already rests on no platform's way to turn it off. */
export function noProxyRuns(facts: Facts) {
  const restsOn: FactKey[] = proxyIsOff(facts) ? ['proxy'] : ['proxy', 'platform'];
  return { kind: 'pass', because: 'After the plan no kube-proxy runs.', restsOn } as const;
}

/** For the same checks: first pause the tool that writes the proxy, and have an operator that a plan can configure. */
export const whileTheProxyMayStay: FollowsFrom = { 'managed-by.reconciler': 'open', 'enable.operator-needed': 'open' };

/** Whether the mode is unknown because pods are being replaced, or wait for that (`lib/facts/proxy/proxy-rollout.ts`). */
export function isProxyRollingOut({ proxy: { kind, mode, evidence } }: Facts): boolean {
  const isRollout = ({ path }: { path: string }) =>
    path === 'status.updatedNumberScheduled' || path === 'status.observedGeneration';
  return kind === 'daemonset' && mode === 'unknown' && evidence.some(isRollout);
}

/** Skips checks of kube-proxy's rules, mode and port if another product serves Services; null: it does not. */
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

  const platform = platformOf({ facts, choices });
  const removal = platform.proxy;
  if ('onlyWithCni' in removal) {
    const cni = plannedCni(facts, choices);
    if (cni === null) return { runs: 'unknown' };
    if (cni !== removal.onlyWithCni)
      return { runs: true, because: `${platform.title} puts it back where the network is the provider's` };
  }
  if (!platform.ebpf.supported)
    return { runs: true, because: `no plan turns it off on ${platform.title}, where eBPF mode is not supported` };
  // Without a DaemonSet the administrator turns the proxy off, and the plan waits for that.
  if (removal.by === 'instructions' || proxy.kind !== 'daemonset') return { runs: false };
  return proxy.managedBy === null || isOperatorsToTurnOff(facts, choices) || isManagerPaused(facts, choices)
    ? { runs: false }
    : { runs: true, because: `its DaemonSet is managed by ${proxy.managedBy}` };
}

/** A further step of a remedy: stop keeping the proxy, if a plan can turn it off; else nothing. */
export function orTurnOff(facts: Facts, choices: Choices): string[] {
  const { runs } = proxyAfterPlan(facts, { ...choices, keepProxy: false });
  return runs === false ? ['Or let the plan turn the service proxy off.'] : [];
}

/** Whether the tool that writes the DaemonSet is paused: as read, or as accepted if the cluster does not show it (`managed-by.reconciler`). */
export function isManagerPaused({ proxy, resources: { ownership } }: Facts, { acknowledge }: Choices): boolean {
  const marks = ownership.filter(({ object, by }) => object === kubeProxyId && by === proxy.managedBy);
  const isAccepted = acknowledge['managed-by.reconciler'] !== undefined;
  return (
    marks.some(({ state }) => state === 'paused') ||
    (isAccepted && marks.length > 0 && marks.every(({ state }) => state === 'hidden'))
  );
}

/** Whether the operator itself turns the proxy off (`kubeProxyManagement`), which makes it a manager of the DaemonSet (calico.md §3.6). */
function isOperatorsToTurnOff({ proxy }: Facts, choices: Choices): boolean {
  return (
    proxy.managedBy === names.operatorDeployment && (choices.set[proxyManagementSetting] ?? 'Enabled') === 'Enabled'
  );
}
