import type { ClusterEvent, FlowsEvent, PreflightEvent, RunStreamEvent } from '#lib/console/wire.ts';
import type { ServerSentEvent } from './sse-parser.ts';

/** A received event. `id`: null for events that change no view. */
export type Arrived<Event> = { event: Event; id: number | null };

/** All events of all streams. A missing one is a type error; at runtime it would be ignored. */
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
 * Parses an event; null if it is not ours. The server is of the same build, so this only checks that the answer comes from it and not from something in between.
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
