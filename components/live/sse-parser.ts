export type ServerSentEvent = { event: string; id: string | null; data: string };

/**
 * Parses server-sent events incrementally (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
 * Lines end in LF, CRLF or CR; a chunk may end anywhere, between CR and LF too. `id`: the event's own; null: none.
 *
 * Not the browser's EventSource, which reports neither status nor body of a refusal, cannot start at a given `Last-Event-ID`, and has its own retries.
 */
export function sseParser(): (chunk: string) => ServerSentEvent[] {
  let rest = '';
  let first = true;
  let endedInCr = false;
  let event = '';
  let id: string | null = null;
  let data: string[] = [];

  return (chunk) => {
    let text = chunk;
    if (first && text !== '') {
      first = false;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    // The CR of the previous chunk ended the line already.
    if (endedInCr && text.startsWith('\n')) text = text.slice(1);
    if (text !== '') endedInCr = text.endsWith('\r');
    // Earlier text has no line end, so only the new text is searched.
    const lines = text.split(/\r\n|\n|\r/);
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ event: event || 'message', id, data: data.join('\n') });
        event = '';
        id = null;
        data = [];
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
      if (field === 'data') data.push(value);
      else if (field === 'event') event = value;
      else if (field === 'id' && !value.includes('\0')) id = value;
    }
    return events;
  };
}
