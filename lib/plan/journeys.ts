import { isManifestInstall } from '#lib/checks/index.ts';
import {
  type Afterwards,
  afterwards as everythingAfter,
  type Goal,
  isByOperator,
  type ReleaseContents,
} from '#lib/spec/index.ts';
import { isStandard } from './install/installation-document.ts';
import type { OperationDefinition, PlanContext } from './operation.ts';
import {
  bpfActive,
  cniRemoveAwsNode,
  crds,
  crdsBrought,
  crdsUpgraded,
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
  fieldsAdopt,
  flowlogsEnable,
  helmCrds,
  helmUpgrade,
  hepAutoCreate,
  hepCopyLabels,
  hepDeleteOld,
  installationAvailable,
  installationOptions,
  manifestActive,
  manifestApply,
  namespace,
  openshiftBundle,
  operatorApply,
  operatorDns,
  operatorUpgraded,
  ownerRefsRemove,
  ownerRefsRestore,
  ownerRefsStillRemoved,
  policyAllowAllUpgrade,
  policyEnforce,
  policyStage,
  proxyDisableDaemonset,
  proxyDisableManaged,
  proxyDisableOpenshift,
  proxyForgetKubeadm,
  proxyInstructions,
  proxyIpvsToIptables,
  proxyRestore,
  proxyRestoreOpenshift,
  releaseActive,
  serviceNatExclude,
  sidecarRollout,
  sidecarTemplate,
  snapshot,
  switchBpf,
  switchBpfHelm,
  verifyManifestPods,
  verifyPods,
  verifyServices,
  verifyVersion,
} from './operations/index.ts';
import { legsOf } from './upgrade/legs.ts';

export type Journey = { id: string; operations: readonly OperationDefinition[] };

/** Removes the proxy, once every node is proven on eBPF and still reaches the API server by itself. */
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

const verifyManifest: readonly OperationDefinition[] = [verifyManifestPods, verifyVersion, verifyServices];

const verify: readonly OperationDefinition[] = [verifyPods, verifyVersion, verifyServices];

/** operations.md › Journeys, 2. The order is part of the contract. Operations that do not apply to a cluster are left out. */
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

/** *install* without eBPF: the service proxy stays untouched. */
const installStandard: Journey = {
  id: 'install-standard',
  operations: install.operations.filter((operation) => !onlyForEbpf.includes(operation)),
};

/** operations.md › Journeys, 2: a proxy in IPVS mode changes first, by a plan of its own. */
export const leaveIpvs: Journey = {
  id: 'leave-ipvs',
  operations: [snapshot, proxyIpvsToIptables, verifyPods],
};

/** A proxy in IPVS mode changes before an install, when Calico has no pods to look at. */
export const leaveIpvsFirst: Journey = { id: 'leave-ipvs-first', operations: [snapshot, proxyIpvsToIptables] };

/** Ends an outage: nothing serves Services, so kube-proxy is turned on again (pain B7). eBPF stays as it is. */
export const restore: Journey = {
  id: 'restore',
  operations: [snapshot, felixCleanupFlag, proxyRestore, proxyRestoreOpenshift, verifyPods],
};

/** Turns flow logs on. */
export const flowLogs: Journey = { id: 'flow-logs', operations: [snapshot, flowlogsEnable, verifyPods] };

/** Creates a policy that was suggested from flows. */
export const policy: Journey = { id: 'policy', operations: [snapshot, policyStage, policyEnforce] };

/** One release of an upgrade: its kinds, its operator and the wait for every node (operations.md › Journeys, 3). */
const oneRelease: readonly OperationDefinition[] = [
  ownerRefsRemove,
  crdsUpgraded,
  ownerRefsStillRemoved,
  operatorUpgraded,
  releaseActive,
  ownerRefsRestore,
];

/** One release of an upgrade, for an operator that Helm installed. */
const oneReleaseByHelm = oneRelease.flatMap((one) => {
  if (one === crdsUpgraded) return [crdsUpgraded, helmCrds];
  return one === operatorUpgraded ? [helmUpgrade] : [one];
});

/** One release of an upgrade, for Calico by manifest: its objects are applied without an operator. */
const oneReleaseByManifest: readonly OperationDefinition[] = [
  ownerRefsRemove,
  crdsUpgraded,
  ownerRefsStillRemoved,
  fieldsAdopt,
  manifestApply,
  manifestActive,
  ownerRefsRestore,
];

/** How many releases one plan may go through: a gate may require one other release first (pain §2, V1). */
const releasesAtMost = 2;

/** What the user asked for after the upgrade, once every node runs the new release (operations.md › Journeys, 3). */
const byRequest: Readonly<Record<Afterwards, readonly OperationDefinition[]>> = {
  'flow-logs': [flowlogsEnable],
  'host-endpoints': [hepCopyLabels, hepAutoCreate, hepDeleteOld],
  'allow-all-upgrade': [policyAllowAllUpgrade],
  sidecars: [sidecarTemplate, sidecarRollout],
};
const requestedSteps = Object.values(byRequest).flat();

/** By installation method: the operations for each release, and those after the last one. */
const ways = {
  operator: { each: oneRelease, thereafter: [...requestedSteps, ...verify] },
  helm: { each: oneReleaseByHelm, thereafter: [...requestedSteps, ...verify] },
  manifest: { each: oneReleaseByManifest, thereafter: [...requestedSteps, ...verifyManifest] },
} as const;

function journeyBy(way: keyof typeof ways, id: string): Journey {
  const { each, thereafter } = ways[way];
  return { id, operations: [snapshot, ...Array.from({ length: releasesAtMost }, () => each).flat(), ...thereafter] };
}

const upgradeBy: Readonly<Record<keyof typeof ways, Journey>> = {
  operator: journeyBy('operator', 'upgrade'),
  helm: journeyBy('helm', 'upgrade-helm'),
  manifest: journeyBy('manifest', 'upgrade-manifest'),
};

/** The journey for this installation method. */
export function upgradeJourney(facts: PlanContext['facts']): Journey {
  return upgradeBy[wayOf(facts)];
}

function wayOf(facts: PlanContext['facts']): keyof typeof ways {
  if (isManifestInstall(facts)) return 'manifest';
  return facts.installation.method === 'helm' ? 'helm' : 'operator';
}

/** What is known of an upgrade before it has a plan: the installation method (undefined: any), and what follows on request. */
export type KindOfUpgrade = {
  readonly method?: keyof typeof ways | undefined;
  readonly afterwards: readonly Afterwards[];
};

/** The kind of upgrade by the facts and the answers. */
export function kindOfUpgrade({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>): KindOfUpgrade {
  return { method: wayOf(facts), afterwards: choices.afterwards ?? [] };
}

/** The journeys that such an upgrade may take, without the optional steps that the user did not request. */
export function upgradesOfKind({ method, afterwards }: KindOfUpgrade): readonly Journey[] {
  const notRequested = new Set(everythingAfter.flatMap((what) => (afterwards.includes(what) ? [] : byRequest[what])));
  return (method === undefined ? Object.values(upgradeBy) : [upgradeBy[method]]).map(({ id, operations }) => ({
    id,
    operations: operations.filter((operation) => !notRequested.has(operation)),
  }));
}

/** The operations of an upgrade, each with its release: the first operations for the first release, the last for the last. */
export function upgradeSteps(
  context: PlanContext,
  through: readonly ReleaseContents[],
): [OperationDefinition, PlanContext][] {
  const { each, thereafter } = ways[wayOf(context.facts)];
  const legs = legsOf(context, through);
  const wholeUpgrade = { ...context, release: legs.at(-1)?.release ?? null, running: legs[0]?.running ?? null };
  const about = (known: PlanContext) => (definition: OperationDefinition) =>
    [definition, known] as [OperationDefinition, PlanContext];
  return [
    about(wholeUpgrade)(snapshot),
    ...legs.flatMap((leg) => each.map(about(leg))),
    ...thereafter.map(about(wholeUpgrade)),
  ];
}

/** The journey for these facts and answers (operations.md › Journeys). */
export function journeyOf(context: Pick<PlanContext, 'facts' | 'choices'>): Journey {
  if (context.choices.goal === 'restore') return restore;
  if (context.choices.goal === 'flow-logs') return flowLogs;
  if (context.choices.goal === 'policy') return policy;
  if (context.choices.goal === 'upgrade') return upgradeJourney(context.facts);
  if (context.choices.goal !== 'install') return enableJourney(context);
  if (isStandard(context)) return installStandard;
  return leavesIpvs(context) ? leaveIpvsFirst : install;
}

/** Every journey of this goal, whatever facts and choices are; none if the goal cannot be planned. */
export function journeysTo(goal: Goal): readonly Journey[] {
  if (goal === 'enable') return [enable, leaveIpvs];
  if (goal === 'restore') return [restore];
  if (goal === 'flow-logs') return [flowLogs];
  if (goal === 'policy') return [policy];
  if (goal === 'upgrade') return Object.values(upgradeBy);
  return goal === 'install' ? [install, installStandard, leaveIpvsFirst] : [];
}

function leavesIpvs({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>): boolean {
  return facts.proxy.mode === 'ipvs' && choices.fix.includes('proxy.not-ipvs');
}

/** Without an Installation there is nothing to patch: a manifest installation gets no plan, and `enable.operator-needed` says why. */
function enableJourney(context: Pick<PlanContext, 'facts' | 'choices'>): Journey {
  if (!isByOperator(context.facts.installation)) return { ...enable, operations: [] };
  return leavesIpvs(context) ? leaveIpvs : enable;
}
