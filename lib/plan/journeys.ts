import type { Goal } from '#lib/spec/index.ts';
import { isStandard } from './install/installation-document.ts';
import type { OperationDefinition, PlanContext } from './operation.ts';
import {
  bpfActive,
  cniRemoveAwsNode,
  crds,
  crdsBrought,
  customResources,
  endpointActive,
  endpointConfigmap,
  endpointRestartOperator,
  endpointStillActive,
  felixAnnotationAfter,
  felixAnnotationBefore,
  felixCleanupFlag,
  felixCleanupRestore,
  felixOptions,
  installationAvailable,
  installationOptions,
  namespace,
  openshiftBundle,
  operatorApply,
  operatorDns,
  proxyDisableDaemonset,
  proxyDisableManaged,
  proxyDisableOpenshift,
  proxyForgetKubeadm,
  proxyInstructions,
  proxyIpvsToIptables,
  proxyRestore,
  proxyRestoreOpenshift,
  serviceNatExclude,
  snapshot,
  switchBpf,
  switchBpfHelm,
  verifyPods,
  verifyServices,
  verifyVersion,
} from './operations/index.ts';

export type Journey = { id: string; operations: readonly OperationDefinition[] };

/** Once every node is proven on eBPF, and still reaches the API server by itself. */
const proxyAway: readonly OperationDefinition[] = [
  bpfActive,
  endpointStillActive,
  proxyDisableDaemonset,
  proxyDisableOpenshift,
  proxyDisableManaged,
  proxyInstructions,
  felixCleanupRestore,
  proxyForgetKubeadm,
];

const verify: readonly OperationDefinition[] = [verifyPods, verifyVersion, verifyServices];

/** operations.md › Journeys, 2. Order is part of the contract; what does not apply to a cluster is left out. */
export const enable: Journey = {
  id: 'enable',
  operations: [
    snapshot,
    operatorDns,
    endpointConfigmap,
    endpointActive,
    endpointRestartOperator,
    felixCleanupFlag,
    felixAnnotationBefore,
    felixOptions,
    installationOptions,
    serviceNatExclude,
    switchBpf,
    switchBpfHelm,
    felixAnnotationAfter,
    ...proxyAway,
    ...verify,
  ],
};

/** operations.md › Journeys, 1. */
export const install: Journey = {
  id: 'install',
  operations: [
    snapshot,
    namespace,
    endpointConfigmap,
    crds,
    operatorApply,
    openshiftBundle,
    operatorDns,
    crdsBrought,
    felixOptions,
    felixCleanupFlag,
    serviceNatExclude,
    cniRemoveAwsNode,
    customResources,
    endpointActive,
    endpointRestartOperator,
    installationAvailable,
    ...proxyAway,
    ...verify,
  ],
};

const onlyForEbpf: readonly OperationDefinition[] = [felixOptions, felixCleanupFlag, serviceNatExclude, ...proxyAway];

/** The same without eBPF: the service proxy stays what it is, and nothing is done about it. */
const installStandard: Journey = {
  id: 'install-standard',
  operations: install.operations.filter((operation) => !onlyForEbpf.includes(operation)),
};

/** operations.md › Journeys, 2: a proxy in IPVS mode comes first, as a Plan of its own. */
export const leaveIpvs: Journey = {
  id: 'leave-ipvs',
  operations: [snapshot, proxyIpvsToIptables, verifyPods],
};

/** The same before an install: Calico has no pods yet that could be looked at. */
export const leaveIpvsFirst: Journey = { id: 'leave-ipvs-first', operations: [snapshot, proxyIpvsToIptables] };

/** Out of an outage: nothing serves Services, and the service proxy is turned on again (pain B7). eBPF stays as it is. */
export const restore: Journey = {
  id: 'restore',
  operations: [snapshot, felixCleanupFlag, proxyRestore, proxyRestoreOpenshift, verifyPods],
};

export function journeyOf(context: Pick<PlanContext, 'facts' | 'choices'>): Journey {
  if (context.choices.goal === 'restore') return restore;
  if (context.choices.goal !== 'install') return enableJourney(context);
  if (isStandard(context)) return installStandard;
  return leavesIpvs(context) ? leaveIpvsFirst : install;
}

/** Every journey to this goal, whatever was found and chosen: none where a goal cannot be planned. */
export function journeysTo(goal: Goal): readonly Journey[] {
  if (goal === 'enable') return [enable, leaveIpvs];
  if (goal === 'restore') return [restore];
  return goal === 'install' ? [install, installStandard, leaveIpvsFirst] : [];
}

function leavesIpvs({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>): boolean {
  return facts.proxy.mode === 'ipvs' && choices.fix.includes('proxy.not-ipvs');
}

/** On a manifest install there is no Installation to patch: nothing can be planned, and `enable.operator-needed` says why. */
function enableJourney(context: Pick<PlanContext, 'facts' | 'choices'>): Journey {
  const { method } = context.facts.installation;
  if (method !== 'operator' && method !== 'helm') return { ...enable, operations: [] };
  return leavesIpvs(context) ? leaveIpvs : enable;
}
