import { type Answer, isUnknown } from './answer.ts';
import type { Direction, RuleAction, WhyPolicy, WhyTier } from './policy.ts';
import type { PolicyPod, Traffic } from './traffic.ts';

/** What one policy decides for a connection. `rule` counts from 0. `because`: why the decision is unknown. */
export type PolicyAnswer = {
  readonly tier: string;
  readonly policy: WhyPolicy;
  readonly says: 'allowed' | 'denied' | 'passed' | 'nothing' | 'unknown';
  readonly rule: number | null;
  readonly because: string | null;
};

/** What the policies of one end decide together, in the order of evaluation. */
export type PolicyEvaluation = {
  readonly verdict: 'allowed' | 'denied' | 'unknown';
  readonly trail: readonly PolicyAnswer[];
  /**
   * `tier`: no rule matched before the end of this tier. `profile`: no policy decides, and Calico allows traffic between pods. Null: a policy
   * decides, or the decision is unknown.
   */
  readonly end: { readonly kind: 'tier'; readonly tier: string } | { readonly kind: 'profile' } | null;
  /** Why the verdict is unknown; null if it is known. */
  readonly because: string | null;
};

/** The tier that Calico creates, unless somebody changed it: https://docs.tigera.io/calico/latest/reference/resources/tier, read 2026-11-23. */
const defaultTier: WhyTier = { name: 'default', order: 1_000_000, atEnd: 'denied' };

/**
 * Evaluates the policies in force for a connection at one end, tier by tier: the first rule that matches decides; *Pass* continues with the next
 * tier; at the end of a tier with a policy that selects the pod the tier's default decides; after the last tier the namespace's profile allows
 * (docs.tigera.io › Get started with tiered policy, read 2026-11-23). Policies of equal order are evaluated together: their real order is unknown
 * here, and only matters if they disagree.
 */
export function evaluatePolicies(
  policies: readonly WhyPolicy[],
  tiers: readonly WhyTier[],
  direction: Direction,
  traffic: Traffic,
): PolicyEvaluation {
  const pod = direction === 'egress' ? traffic.from : traffic.to;
  const trail: PolicyAnswer[] = [];
  const undecided = (because: string): PolicyEvaluation => ({ verdict: 'unknown', trail, end: null, because });
  const known = tiers.some(({ name }) => name === defaultTier.name) ? tiers : [...tiers, defaultTier];
  const selecting = policies.filter((one) => one[direction] !== null && one.selects(pod) !== false);
  const lost = selecting.find(({ tier }) => !known.some(({ name }) => name === tier));
  if (lost) return undecided(`policy ${lost.name} is in tier ${lost.tier}, which is not there`);
  for (const tier of [...known].sort(byOrder)) {
    const own = selecting.filter((one) => one.tier === tier.name).sort(byOrder);
    const groups = [...Map.groupBy(own, ({ order }) => order).values()];
    let outcome: Outcome = null;
    for (const group of groups) {
      const answers = group.map((policy) => evaluate(policy, direction, pod, traffic));
      for (const { could: _, ...one } of answers) trail.push(one);
      outcome = together(answers);
      if (outcome !== null) break;
    }
    if (outcome !== null && typeof outcome !== 'string') return undecided(outcome.unknown);
    if (outcome === 'allowed' || outcome === 'denied') return { verdict: outcome, trail, end: null, because: null };
    if (outcome === null && own.length > 0 && tier.atEnd === 'denied')
      return { verdict: 'denied', trail, end: { kind: 'tier', tier: tier.name }, because: null };
  }
  return { verdict: 'allowed', trail, end: { kind: 'profile' }, because: null };
}

/** The policies if the staged ones were in force: each replaces the policy of its kind, namespace and name. */
export function withStaged(policies: readonly WhyPolicy[]): WhyPolicy[] {
  const staged = policies.filter((one) => one.staged !== null);
  const id = ({ kind, namespace, name }: WhyPolicy) => `${kind} ${namespace} ${name}`;
  const replaced = new Set(staged.map(id));
  return [
    ...policies.filter((one) => one.staged === null && !replaced.has(id(one))),
    ...staged.filter((one) => one.staged === 'set'),
  ];
}

export const inForce = (policies: readonly WhyPolicy[]): WhyPolicy[] =>
  policies.filter(({ staged }) => staged === null);

type Decision = Exclude<RuleAction, 'log'>;
type Outcome = Decision | { readonly unknown: string } | null;
/** `could`: the possible decisions if the answer is unknown; null: any. */
type Evaluated = PolicyAnswer & { readonly could: readonly Decision[] | null };

function evaluate(policy: WhyPolicy, direction: Direction, pod: PolicyPod, traffic: Traffic): Evaluated {
  const answer = (
    says: PolicyAnswer['says'],
    rule: number | null,
    because: string | null,
    could: Evaluated['could'],
  ): Evaluated => ({
    tier: policy.tier,
    policy,
    says,
    rule,
    because,
    could,
  });
  const rules = policy[direction] ?? [];
  const actions = rules.map(({ action }) => action);
  const could = actions.includes(null) ? null : actions.filter((one): one is Decision => one !== null && one !== 'log');
  const isSelected: Answer = policy.selects(pod);
  if (isUnknown(isSelected)) return answer('unknown', null, isSelected.unknown, could);
  for (const [index, { action, matches }] of rules.entries()) {
    if (action === 'log') continue;
    const matched = matches(traffic);
    if (isUnknown(matched)) return answer('unknown', index, matched.unknown, could);
    if (!matched) continue;
    if (action === null) return answer('unknown', index, 'its action is unknown', null);
    return answer(action, index, null, null);
  }
  return answer('nothing', null, null, null);
}

function together(answers: readonly Evaluated[]): Outcome {
  const decided = [
    ...new Set(answers.flatMap(({ says }): Decision[] => (says === 'nothing' || says === 'unknown' ? [] : [says]))),
  ];
  const [first, second] = decided;
  if (second !== undefined) return { unknown: 'policies of the same order disagree' };
  const open = answers.filter(({ says }) => says === 'unknown');
  const agrees = ({ could }: Evaluated) => first !== undefined && could?.every((one) => one === first) === true;
  const doubt = open.find((one) => !agrees(one));
  if (doubt) return { unknown: `policy ${doubt.policy.name}: ${doubt.because}` };
  return first ?? null;
}

function byOrder(left: { order: number; name: string }, right: { order: number; name: string }): number {
  return left.order === right.order ? (left.name < right.name ? -1 : 1) : left.order - right.order;
}
