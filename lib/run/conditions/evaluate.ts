import type { Condition } from '#lib/plan/index.ts';
import { areAbsent, isAbsent } from './absent.ts';
import { agentsRestarted } from './agents-restarted.ts';
import { autoHostEndpoints } from './auto-host-endpoints.ts';
import { bpfActive } from './bpf-active.ts';
import { bpfInactive } from './bpf-inactive.ts';
import { checkPasses } from './check-passes.ts';
import type { ConditionContext } from './context.ts';
import { endpointActive } from './endpoint-active.ts';
import { established } from './established.ts';
import { fieldsAdopted } from './fields-adopted.ts';
import { fieldsHold, isThere } from './fields-hold.ts';
import { flowLogsActive, flowLogsInactive } from './flow-logs.ts';
import { helmDeployed } from './helm-deployed.ts';
import { installationAvailable } from './installation-available.ts';
import { ipvsGone } from './ipvs-gone.ts';
import { isMade, isUnmade } from './made.ts';
import { onlyOursLeft } from './only-ours-left.ts';
import { ownerReferencesGone, ownerReferencesRestored, ownersServed } from './owner-references.ts';
import { podsGone } from './pods-gone.ts';
import { productPodsReady } from './product-pods-ready.ts';
import type { Progress } from './progress.ts';
import { proxyBack } from './proxy-back.ts';
import { proxyGone } from './proxy-gone.ts';
import { reconciled } from './reconciled.ts';
import { rolledOut } from './rolled-out.ts';
import { servicesAnswer } from './services-answer.ts';
import { sidecarsReplaced } from './sidecars-replaced.ts';
import { statusNotAvailable } from './status-not-available.ts';
import { upgraded } from './upgraded.ts';
import { versionEquals } from './version-equals.ts';

type Evaluator<K extends Condition['kind']> = (
  condition: Extract<Condition, { kind: K }>,
  context: ConditionContext,
) => Promise<Progress>;

const evaluators: { [K in Condition['kind']]: Evaluator<K> } = {
  journalled: async () => ({ kind: 'met', evidence: [] }),
  exists: isThere,
  established,
  made: isMade,
  unmade: isUnmade,
  absent: isAbsent,
  'all-absent': areAbsent,
  fields: fieldsHold,
  rollout: rolledOut,
  'no-pods': podsGone,
  'endpoint-active': endpointActive,
  'bpf-active': bpfActive,
  'bpf-inactive': bpfInactive,
  'proxy-back': proxyBack,
  'proxy-gone': proxyGone,
  'ipvs-gone': ipvsGone,
  reconciled,
  'agents-restarted': agentsRestarted,
  'status-not-available': statusNotAvailable,
  'installation-available': installationAvailable,
  upgraded,
  'fields-adopted': fieldsAdopted,
  'owner-references-gone': ownerReferencesGone,
  'owners-served': ownersServed,
  'owner-references-restored': ownerReferencesRestored,
  'only-ours-left': onlyOursLeft,
  'check-passes': checkPasses,
  'helm-deployed': helmDeployed,
  'auto-host-endpoints': autoHostEndpoints,
  'flow-logs-active': flowLogsActive,
  'flow-logs-inactive': flowLogsInactive,
  sidecars: sidecarsReplaced,
  'product-pods-ready': productPodsReady,
  version: versionEquals,
  'services-answer': servicesAnswer,
  all: async ({ of }, context) => {
    const met: Progress[] = [];
    for (const condition of of) {
      const progress = await evaluate(condition, context);
      if (progress.kind !== 'met') return progress;
      met.push(progress);
    }
    const nodes = met.flatMap((one) => one.nodes ?? []);
    return {
      kind: 'met',
      evidence: met.flatMap((one) => (one.kind === 'met' ? one.evidence : [])),
      ...(nodes.length > 0 ? { nodes } : {}),
    };
  },
};

/** Evaluates a condition once. Rejects with a KubeError if the cluster cannot be read; the engine then tries again and says so. */
export function evaluate<K extends Condition['kind']>(
  condition: Extract<Condition, { kind: K }>,
  context: ConditionContext,
): Promise<Progress> {
  return (evaluators[condition.kind] as Evaluator<K>)(condition, context);
}
