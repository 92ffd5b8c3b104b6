import { jsonText, visibleData } from '#lib/text/index.ts';

/**
 * Server-sent events as text (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). Data is JSON on one line: JSON
 * escapes line feeds in strings, so nothing from a cluster can end an event or begin another. Texts are escaped for pages.
 */
export function encodeEvent(event: { event: string; data: unknown }, id: number | null): string {
  const lines = [
    `event: ${event.event}`,
    ...(id === null ? [] : [`id: ${id}`]),
    `data: ${jsonText(visibleData(event))}`,
  ];
  return `${lines.join('\n')}\n\n`;
}

/** For readers that use a plain EventSource; our own client waits longer. */
export const opening = 'retry: 2000\n\n';

/** An id that a client sends back; null if it is not ours. */
export function parseEventId(text: string | null): number | null {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;
}
