import type { Flow, FlowEnd } from '../flow.ts';
import type { FlowFilter, PolicyMatch, TextMatch } from '../flow-filter.ts';

/** Whether an aggregator returns this flow: any entry of a list matches, and all lists must (calico.md §6.3). */
export function matchesFilter(flow: Omit<Flow, 'id'>, filter: FlowFilter): boolean {
  return (
    anyOf(filter.sourceNames, ofText(flow.from.name)) &&
    anyOf(filter.sourceNamespaces, ofText(namespaceOf(flow.from))) &&
    anyOf(filter.destNames, ofText(flow.to.name)) &&
    anyOf(filter.destNamespaces, ofText(namespaceOf(flow.to))) &&
    anyOf(filter.protocols, ofText(flow.protocol.toLowerCase())) &&
    anyOf(filter.destPorts, (port) => port === flow.port) &&
    anyOf(filter.verdicts, (verdict) => verdict === flow.verdict) &&
    anyOf(filter.policies, (policy) => matchesPolicy(flow, policy)) &&
    (filter.reporter === null || filter.reporter === flow.reporter)
  );
}

function anyOf<T>(list: readonly T[], matches: (one: T) => boolean): boolean {
  return list.length === 0 || list.some(matches);
}

const ofText =
  (text: string) =>
  ({ value, by }: TextMatch): boolean =>
    by === 'whole' ? text === value : text.includes(value);

const namespaceOf = ({ namespace }: FlowEnd) => namespace ?? '-';

function matchesPolicy({ policies }: Pick<Flow, 'policies'>, { kind, tier, namespace, name, action }: PolicyMatch) {
  return [...policies.enforced, ...policies.pending].some(
    (hit) =>
      (kind === null || kind === hit.kind) &&
      (tier === '' || tier === hit.tier) &&
      (namespace === '' || namespace === (hit.namespace ?? '-')) &&
      (name === '' || name === hit.name) &&
      (action === null || action === hit.action),
  );
}
