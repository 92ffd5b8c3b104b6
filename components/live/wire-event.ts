import type { ClusterEvent, FlowsEvent, PreflightEvent, RunStreamEvent } from '#lib/console/wire.ts';
import type { ServerSentEvent } from './sse-parser.ts';

/** An event of ours on its way to a fold. `id`: null for those that change nothing. */
export type Arrived<Event> = { event: Event; id: number | null };

/** Every event of every stream: one that is missing here does not compile, and would be lost without a word. */
const kinds: Readonly<Record<(ClusterEvent | FlowsEvent | RunStreamEvent | PreflightEvent)['event'], true>> = {
  snapshot: true,
  operation: true,
  node: true,
  condition: true,
  services: true,
  flows: true,
  gap: true,
  log: true,
  problem: true,
  stale: true,
  heartbeat: true,
  ended: true,
  end: true,
};

/**
 * The JSON of one event, or null where it is none of ours. The server made it from the same build's types: what is checked is that this is our
 * server's answer at all, and not that of something between it and us.
 */
export function wireEvent<Event extends { event: string }>({ data, id }: ServerSentEvent): Arrived<Event> | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return null;
  }
  if (!isWireEvent<Event>(parsed)) return null;
  return { event: parsed, id: id !== null && /^\d{1,16}$/.test(id) ? Number(id) : null };
}

function isWireEvent<Event extends { event: string }>(value: unknown): value is Event {
  if (typeof value !== 'object' || value === null || !('event' in value) || !('data' in value)) return false;
  return typeof value.event === 'string' && Object.hasOwn(kinds, value.event);
}
