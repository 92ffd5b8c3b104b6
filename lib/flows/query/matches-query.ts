import { type Flow, type FlowEnd, isStaged, type PolicyHit, type Verdict } from '../flow.ts';
import { endName, ownerName } from './end-names.ts';
import type { Pattern, Query, Term } from './query.ts';

/** Whether a query selects a flow, apart from its time. Terms with the same key are alternatives, unless they exclude. */
export function matchesQuery(flow: Flow, { terms }: Pick<Query, 'terms'>): boolean {
  const wanted = new Map<Term['key'], boolean>();
  for (const term of terms) {
    const matches = matchesTerm(flow, term);
    if (term.not) {
      if (matches) return false;
    } else wanted.set(term.key, matches || wanted.get(term.key) === true);
  }
  for (const found of wanted.values()) if (!found) return false;
  return true;
}

function matchesTerm(flow: Flow, term: Term): boolean {
  switch (term.key) {
    case 'from':
      return isEnd(flow.from, term);
    case 'to':
      return isEnd(flow.to, term) || isService(flow, term);
    case 'with':
      return isEnd(flow.from, term) || isEnd(flow.to, term) || isService(flow, term);
    case 'port':
      return flow.port >= term.first && flow.port <= term.last;
    case 'verdict':
      return flow.verdict === term.verdict;
    case 'staged':
      return flow.policies.pending.some(isStaged) && pendingVerdict(flow) === term.verdict;
    case 'policy':
      return [...flow.policies.enforced, ...flow.policies.pending].some((hit) => isPolicy(hit, term));
    case 'proto':
      return flow.protocol === term.protocol;
    case 'reporter':
      return flow.reporter === term.reporter;
  }
}

/** The verdict if staged policies were in force: that of the last hit that does not pass on. Null if there is none. */
export function pendingVerdict({ policies }: Pick<Flow, 'policies'>): Verdict | null {
  return policies.pending.findLast(({ action }) => action !== null && action !== 'passed')?.action ?? null;
}

type Named = { readonly namespace: Pattern | null; readonly name: Pattern | null };

function isEnd(end: FlowEnd, { namespace, name }: Named): boolean {
  const shown = end.kind === 'network' ? endName(end) : ownerName(end);
  return (
    matchesPattern(end.namespace ?? '-', namespace) && (matchesPattern(end.name, name) || matchesPattern(shown, name))
  );
}

function isService({ service }: Flow, { namespace, name }: Named): boolean {
  return service !== null && matchesPattern(service.namespace ?? '-', namespace) && matchesPattern(service.name, name);
}

/** An end of tier has no name; the policy that caused it has. */
function isPolicy(hit: PolicyHit, { tier, name }: { tier: Pattern | null; name: Pattern }): boolean {
  return matchesPattern(hit.tier, tier) && (isNamed(hit, name) || (hit.trigger !== null && isNamed(hit.trigger, name)));
}

/** Up to v3.29 names of policies began with their tier, and some still do. */
function isNamed(hit: Omit<PolicyHit, 'trigger'>, name: Pattern): boolean {
  const own = hit.namespace === null ? hit.name : `${hit.namespace}/${hit.name}`;
  const bare = hit.name.startsWith(`${hit.tier}.`) ? hit.name.slice(hit.tier.length + 1) : hit.name;
  return matchesPattern(hit.name, name) || matchesPattern(bare, name) || matchesPattern(own, name);
}

/** Null matches everything. `*` matches any text. The pattern is not turned into a regular expression, so that no pattern makes matching slow. */
export function matchesPattern(text: string, pattern: Pattern | null): boolean {
  if (pattern === null) return true;
  const parts = pattern.split('*');
  const [first = ''] = parts;
  if (parts.length === 1) return text === pattern;
  const last = parts.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
