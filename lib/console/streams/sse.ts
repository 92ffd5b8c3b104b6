import { jsonText, shown } from '#lib/text/index.ts';

/**
 * Server-sent events as text (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). Data is JSON on one line:
 * JSON escapes line feeds inside of strings, so that nothing from a cluster can end an event or begin another. Its texts
 * come as a page can show them.
 */
export function encodeEvent(event: { event: string; data: unknown }, id: number | null): string {
  const lines = [`event: ${event.event}`, ...(id === null ? [] : [`id: ${id}`]), `data: ${jsonText(shown(event))}`];
  return `${lines.join('\n')}\n\n`;
}

/** The client's own back-off is longer; this is for whoever reads the stream with a plain EventSource. */
export const opening = 'retry: 2000\n\n';

/** An id as a client sends it back, or null when it is none of ours. */
export function parseEventId(text: string | null): number | null {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;
}
