import { type Flow, isStaged, type PolicyHit, type Verdict } from '../flow.ts';
import { pendingVerdict } from '../query/matches-query.ts';

/** The last hit that allowed or denied; otherwise the last one. Null if the flow has none. */
function decidingHit({ policies }: Pick<Flow, 'policies'>): PolicyHit | null {
  const { enforced } = policies;
  return enforced.findLast(({ action }) => action === 'allowed' || action === 'denied') ?? enforced.at(-1) ?? null;
}

/** The policy behind the decision; at the end of a tier the one that caused it. Null if flow or tier names none. */
export function decidingPolicy(flow: Pick<Flow, 'policies'>): Omit<PolicyHit, 'trigger'> | null {
  const hit = decidingHit(flow);
  return hit?.kind === 'EndOfTier' ? hit.trigger : hit;
}

/** What decided, short enough for a table: `payments/ledger-db`, `end of tier default`, `profile kns.shop`. */
export function decidedBy(flow: Pick<Flow, 'policies'>): string {
  const hit = decidingHit(flow);
  if (hit === null) return '';
  if (hit.kind === 'EndOfTier') return `end of tier ${hit.tier}`;
  if (hit.kind === 'Profile') return `profile ${hit.name}`;
  return policyName(hit);
}

/**
 * What decided, as a sentence: *Denied at the destination, at the end of tier default: payments/ledger-db selects it, and no rule of its tier
 * matches.* Names come from the cluster, so whoever shows the sentence must make special characters visible.
 */
export function trailSentence(flow: Flow): string {
  const hit = decidingHit(flow);
  const where = flow.reporter === 'source' ? 'at the source' : 'at the destination';
  const verdict = capital(flow.verdict);
  if (hit === null) return `${verdict} ${where}. Calico names no policy for it.`;
  if (hit.kind === 'EndOfTier') {
    const trigger = hit.trigger;
    const because = trigger
      ? `: ${policyName(trigger)} selects it, and no rule of the tier matches`
      : ': no policy matched';
    return `${verdict} ${where}, at the end of tier ${hit.tier}${because}.`;
  }
  if (hit.kind === 'Profile') {
    const isPassedOn = flow.policies.enforced.some(({ kind, action }) => kind !== 'Profile' && action === 'passed');
    const because = isPassedOn ? 'the policies that select it pass it on' : 'no policy selects it';
    return `${verdict} ${where} by profile ${hit.name}: ${because}.`;
  }
  return `${verdict} ${where} by ${hitPath(hit)}.`;
}

/** What staged policies would change, as a sentence; null if there are none, or they change nothing. */
export function stagedSentence(flow: Flow): string | null {
  const staged = flow.policies.pending.filter(isStaged);
  const verdict = pendingVerdict(flow);
  if (staged.length === 0 || verdict === null || verdict === flow.verdict) return null;
  const by = staged.findLast(({ action }) => action === verdict) ?? staged.at(-1);
  return `Would be ${verdict} by staged policy ${by ? hitPath(by) : ''}.`;
}

/** Whether a flow is allowed now and would be denied by its staged policies. */
export function wouldBeDenied(flow: Flow): boolean {
  return flow.verdict !== 'denied' && flow.policies.pending.some(isStaged) && pendingVerdict(flow) === 'denied';
}

/**
 * An evaluated policy in words. `policy`: the object to look up, which at the end of a tier is the policy that caused it; null if there is no object.
 */
export type TrailStep = { readonly text: string; readonly policy: Omit<PolicyHit, 'trigger'> | null };

/** Every evaluated policy, in order: `tier platform → policy allow-dns → rule 2: allowed`. */
export function trailSteps({ policies }: Pick<Flow, 'policies'>): TrailStep[] {
  const step = (hit: PolicyHit, before: string): TrailStep => ({
    text: `${before}${hitPath(hit)}${actionText(hit.action)}`,
    policy: hit.kind === 'Profile' ? null : hit.kind === 'EndOfTier' ? hit.trigger : hit,
  });
  return [
    ...policies.enforced.map((hit) => step(hit, '')),
    ...policies.pending.filter(isStaged).map((hit) => step(hit, 'staged: ')),
  ];
}

export function trailLines(flow: Pick<Flow, 'policies'>): string[] {
  return trailSteps(flow).map(({ text }) => text);
}

function hitPath(hit: PolicyHit): string {
  if (hit.kind === 'Profile') return `profile ${hit.name}`;
  if (hit.kind === 'EndOfTier') {
    const by = hit.trigger ? ` → policy ${policyName(hit.trigger)}` : '';
    return `tier ${hit.tier}${by} → end of tier`;
  }
  const rule = hit.ruleIndex >= 0 ? ` → rule ${hit.ruleIndex + 1}` : '';
  return `tier ${hit.tier} → policy ${policyName(hit)}${rule}`;
}

const actionText = (action: Verdict | null) =>
  action === null ? '' : `: ${action === 'passed' ? 'passed on' : action}`;

function policyName({ namespace, name, tier }: Omit<PolicyHit, 'trigger'>): string {
  const bare = name.startsWith(`${tier}.`) ? name.slice(tier.length + 1) : name;
  return namespace === null ? bare : `${namespace}/${bare}`;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
