import type { PolicyAnswer, PolicyEvaluation } from './evaluate-policies.ts';
import type { PolicyPod } from './traffic.ts';

/** Every policy that was evaluated and what ended it, in order: `tier security → quarantine → rule 1: passed on`. Names come from the cluster. */
export function evaluationLines({ trail, end, because }: PolicyEvaluation, pod: PolicyPod): string[] {
  return [
    ...trail.map(answerLine),
    ...(end === null
      ? []
      : end.kind === 'tier'
        ? [`tier ${end.tier} → end of tier: denied, no rule of its policies matches`]
        : [`profile kns.${pod.namespace}: allowed, no policy decides`]),
    ...(because === null ? [] : [`not verified: ${because}`]),
  ];
}

function answerLine({ tier, policy, says, rule, because }: PolicyAnswer): string {
  const name = policy.namespace === null ? policy.name : `${policy.namespace}/${policy.name}`;
  const staged = policy.staged === null ? '' : 'staged ';
  const at = rule === null ? '' : ` → rule ${rule + 1}`;
  const words: Readonly<Record<PolicyAnswer['says'], string>> = {
    allowed: 'allowed',
    denied: 'denied',
    passed: 'passed on',
    nothing: 'selects it, and none of its rules matches',
    unknown: `not verified: ${because}`,
  };
  return `tier ${tier} → ${staged}${policy.kind === 'NetworkPolicy' ? 'Kubernetes NetworkPolicy ' : ''}${name}${at}: ${words[says]}`;
}
