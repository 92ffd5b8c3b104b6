import type { Flow, FlowEnd } from '../flow.ts';
import { ownerName } from './end-names.ts';
import { queryText } from './query-text.ts';

/** The query for flows between the same two ends: `-` is no namespace, and none of them. */
export function pairQuery({ from, to }: Pick<Flow, 'from' | 'to'>): string {
  const end = (key: 'from' | 'to', of: FlowEnd) => ({
    not: false,
    key,
    namespace: of.namespace ?? '-',
    name: ownerName(of),
  });
  return queryText({ terms: [end('from', from), end('to', to)], since: null, until: null });
}
