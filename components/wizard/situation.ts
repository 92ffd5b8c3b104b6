import { judgedEndpoint } from '#lib/checks/index.ts';
import type { Assessment, Draft } from '#lib/console/host.ts';
import type { Situation } from '#lib/console/wizard/index.ts';
import { makePlan, PlanError, proxyRemoval } from '#lib/plan/index.ts';
import { type Choices, platforms, releaseAtLeast } from '#lib/spec/index.ts';

/** The engine's part of the wizard's words, on the server only: a plan takes milliseconds, and is made from what was read already. */
export function situationOf(draft: Draft, { facts, findings }: Assessment): Situation {
  const choices = draft.answers;
  const { keepProxy: _kept, ...unkept } = choices;
  const { operatorVersion } = facts.installation;
  return {
    draft,
    facts,
    findings,
    platform: platforms[choices.platform ?? facts.platform.kind],
    platforms: Object.values(platforms),
    endpoint: judgedEndpoint(facts, choices),
    proxy: { now: proxyRemoval({ facts, choices }), off: proxyRemoval({ facts, choices: turnedOff(unkept) }) },
    operatorManagesProxy: operatorVersion === null ? 'undecided' : releaseAtLeast(operatorVersion, managesProxySince),
    plan: planned(draft, { facts, findings }),
  };
}

/** Operators before it have no `kubeProxyManagement` (calico.md §3.6). */
const managesProxySince = '1.40.0';

function turnedOff({ set, ...choices }: Omit<Choices, 'keepProxy'>): Choices {
  const { 'calicoNetwork.kubeProxyManagement': _asked, ...others } = set;
  return { ...choices, set: others };
}

function planned({ answers }: Draft, { facts, findings }: Assessment): Situation['plan'] {
  try {
    const { operations } = makePlan({ facts, choices: answers, findings, now: findings.checkedAt });
    return { kind: 'made', operations };
  } catch (error) {
    if (error instanceof PlanError) return { kind: 'none', problem: error.message };
    throw error;
  }
}
