import type { KeptSlice, ReadSlice } from './endpoints.ts';
import type { ReadService } from './service-entries.ts';

type Endpoint = ReadSlice['endpoints'][number];
type Conditions = Endpoint['conditions'];

const nothing: Readonly<Record<string, string>> = {};
const noHints: Endpoint['hints'] = { forZones: [], forNodes: [] };
/** The at most 27 different conditions, one object each. */
const conditions = new Map<string, Conditions>();

/**
 * A Service without the parts that its entries do not need. The agent holds tens of thousands of Services, and labels and annotations would be most
 * of each.
 * @param labels names of the labels to keep
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

/** A slice likewise. Endpoints also share one object for equal conditions and for no hints. */
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
