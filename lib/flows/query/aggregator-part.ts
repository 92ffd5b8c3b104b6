import type { FlowFilter, TextMatch } from '../flow-filter.ts';
import { networkNames } from './end-names.ts';
import { matchesPattern } from './matches-query.ts';
import type { Query, Term } from './query.ts';

type Of<K extends Term['key']> = Extract<Term, { key: K }>;

/**
 * The part of a query that the aggregator can filter. It never excludes a wanted flow, so the caller must filter its answer once more. Left out is
 * what the aggregator cannot express: exclusions, either end, Services, port ranges, patterns of policies.
 */
export function aggregatorPart({ terms }: Pick<Query, 'terms'>): FlowFilter {
  const of = <K extends Term['key']>(key: K): Of<K>[] =>
    terms.filter((term): term is Of<K> => term.key === key && !term.not);
  const from = of('from');
  const policies = of('policy');
  const ports = of('port');
  const wholePolicy = (tier: string) => ({ kind: null, tier, namespace: '', name: '', action: null });
  return {
    sourceNames: allOrNone(from.map(({ name }) => part(name))),
    sourceNamespaces: allOrNone(from.map(({ namespace }) => exactMatch(namespace))),
    // A Service has a different name than the workloads behind it, and may be in another namespace.
    destNames: [],
    destNamespaces: [],
    protocols: [],
    destPorts: ports.every(({ first, last }) => first === last) ? ports.map(({ first }) => first) : [],
    verdicts: of('verdict').map(({ verdict }) => verdict),
    policies: allOrNone(policies.map(({ tier }) => (tier === null || tier.includes('*') ? null : wholePolicy(tier)))),
    reporter: of('reporter').length === 1 ? (of('reporter')[0]?.reporter ?? null) : null,
  };
}

/** Alternatives are one list: if one of them cannot be expressed, the list must be empty. */
function allOrNone<T>(list: readonly (T | null)[]): T[] {
  const known = list.filter((one): one is T => one !== null);
  return known.length === list.length ? known : [];
}

/** The longest text that every matching name contains. Null if the pattern matches a network's shown name, which the aggregator does not know. */
function part(pattern: string | null): TextMatch | null {
  if (Object.values(networkNames).some((name) => matchesPattern(name, pattern))) return null;
  const [longest = ''] = (pattern ?? '').split('*').sort((a, b) => b.length - a.length);
  return longest === '' ? null : { value: longest, by: 'part' };
}

function exactMatch(pattern: string | null): TextMatch | null {
  return pattern === null || pattern.includes('*') ? null : { value: pattern, by: 'whole' };
}
