import type { KeptSlice, ReadSlice } from './endpoints.ts';
import type { ReadService } from './service-entries.ts';

type Endpoint = ReadSlice['endpoints'][number];
type Conditions = Endpoint['conditions'];

const nothing: Readonly<Record<string, string>> = {};
const noHints: Endpoint['hints'] = { forZones: [], forNodes: [] };
/** Each of the 27 that there are, once. */
const conditions = new Map<string, Conditions>();

/**
 * Of a Service, what its entries are made of: an agent holds tens of thousands, and most of each would be labels and annotations.
 * @param labels that somebody asks for; the others are not kept
 */
export function keptService(service: ReadService, labels: readonly string[]): ReadService {
  const { metadata, spec } = service;
  const asked = labels.filter((name) => name in metadata.labels).map((name) => [name, metadata.labels[name] ?? '']);
  return {
    ...service,
    metadata: { ...metadata, labels: asked.length > 0 ? Object.fromEntries(asked) : nothing, annotations: nothing },
    spec: { ...spec, selector: nothing },
  };
}

/** The same of a slice, where endpoints also have one record of the same conditions, and none of no hints. */
export function keptSlice({ addressType, endpoints, ports }: ReadSlice): KeptSlice {
  return {
    addressType,
    ports,
    endpoints: endpoints.map((one) => ({
      ...one,
      conditions: theOne(one.conditions),
      hints: one.hints.forZones.length + one.hints.forNodes.length > 0 ? one.hints : noHints,
    })),
  };
}

function theOne(these: Conditions): Conditions {
  const key = `${these.ready} ${these.serving} ${these.terminating}`;
  const known = conditions.get(key) ?? these;
  conditions.set(key, known);
  return known;
}
