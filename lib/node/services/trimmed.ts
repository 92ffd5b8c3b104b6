import type { ReadSlice, TrimmedSlice } from './endpoints.ts';
import type { ReadService } from './service-entries.ts';

type Endpoint = ReadSlice['endpoints'][number];
type Conditions = Endpoint['conditions'];

const nothing: Readonly<Record<string, string>> = {};
const noHints: Endpoint['hints'] = { forZones: [], forNodes: [] };
/** One object for each combination of conditions, of which there are 27. */
const conditions = new Map<string, Conditions>();

/**
 * A Service without the parts that its entries do not need. The agent holds tens of thousands of Services, and labels and annotations would be most
 * of each.
 * @param labels names of the labels to keep
 */
export function trimmedService(service: ReadService, labels: readonly string[]): ReadService {
  const { metadata, spec } = service;
  const wantedLabels = labels
    .filter((name) => name in metadata.labels)
    .map((name) => [name, metadata.labels[name] ?? '']);
  return {
    ...service,
    metadata: {
      ...metadata,
      labels: wantedLabels.length > 0 ? Object.fromEntries(wantedLabels) : nothing,
      annotations: nothing,
    },
    spec: { ...spec, selector: nothing },
  };
}

/** An EndpointSlice without the parts that entries do not need. Endpoints share one object for equal conditions, and one for no hints. */
export function trimmedSlice({ addressType, endpoints, ports }: ReadSlice): TrimmedSlice {
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
