import { anything, fields, listOf, numberOrNull, text } from '#lib/kube/read/lenient.ts';
import { policyKinds, verdicts } from '../flow.ts';
import type { FlowFilter, PolicyMatch, TextMatch } from '../flow-filter.ts';
import type { WireFormat } from './wire-format.ts';
import { actionNumber } from './write-flow.ts';

/** A filter as a message. v3.30 compares texts of policies only as a whole and knows no reporter, so it returns more flows. */
export function writeFilter(filter: FlowFilter, format: WireFormat): object {
  const { sourceNames, sourceNamespaces, destNames, destNamespaces, protocols, destPorts } = filter;
  return {
    source_names: sourceNames.map(writeText),
    source_namespaces: sourceNamespaces.map(writeText),
    dest_names: destNames.map(writeText),
    dest_namespaces: destNamespaces.map(writeText),
    protocols: protocols.map(writeText),
    dest_ports: destPorts.map((port) => ({ port })),
    actions: filter.verdicts.map(actionNumber),
    policies: filter.policies.map((policy) => writePolicyMatch(policy, format)),
    ...(format === 'v3.32' && filter.reporter !== null ? { reporter: filter.reporter === 'source' ? 1 : 2 } : {}),
  };
}

function writePolicyMatch({ kind, tier, namespace, name, action }: PolicyMatch, format: WireFormat): object {
  const exact = (value: string) => {
    if (format === 'v3.30') return value;
    return value === '' ? null : { value, type: 0 };
  };
  return {
    kind: kind === null ? 0 : policyKinds.indexOf(kind),
    tier: exact(tier),
    namespace: exact(namespace),
    name: exact(name),
    action: action === null ? 0 : actionNumber(action),
  };
}

const textMatch = fields({ value: text, type: numberOrNull });
const filterMessage = fields({
  source_names: listOf(textMatch),
  source_namespaces: listOf(textMatch),
  dest_names: listOf(textMatch),
  dest_namespaces: listOf(textMatch),
  protocols: listOf(textMatch),
  dest_ports: listOf(fields({ port: numberOrNull })),
  actions: listOf(numberOrNull),
  policies: listOf(
    fields({ kind: numberOrNull, tier: anything, namespace: anything, name: anything, action: numberOrNull }),
  ),
  reporter: numberOrNull,
});

export function readFilter(message: unknown): FlowFilter {
  const read = filterMessage.parse(message);
  return {
    sourceNames: read.source_names.map(readText),
    sourceNamespaces: read.source_namespaces.map(readText),
    destNames: read.dest_names.map(readText),
    destNamespaces: read.dest_namespaces.map(readText),
    protocols: read.protocols.map(readText),
    destPorts: read.dest_ports.map(({ port }) => port ?? 0),
    verdicts: read.actions.flatMap((action) => verdicts[(action ?? 0) - 1] ?? []),
    policies: read.policies.map(({ kind, tier, namespace, name, action }) => ({
      kind: kind ? (policyKinds[kind] ?? 'Unknown') : null,
      tier: wholeOf(tier),
      namespace: wholeOf(namespace),
      name: wholeOf(name),
      action: verdicts[(action ?? 0) - 1] ?? null,
    })),
    reporter: read.reporter === 1 ? 'source' : read.reporter === 2 ? 'destination' : null,
  };
}

const writeText = ({ value, by }: TextMatch) => ({ value, type: by === 'whole' ? 0 : 1 });
const readText = ({ value, type }: { value: string; type: number | null }): TextMatch => ({
  value,
  by: type === 1 ? 'part' : 'whole',
});
/** In v3.30 this is a text, in v3.32 a match. */
const wholeOf = (value: unknown): string => (typeof value === 'string' ? value : textMatch.parse(value).value);
