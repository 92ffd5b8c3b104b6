/** Reads a stream as a browser does: fields by line, an event at each empty line. */
export type ReadEvent = { event: string; id: string | null; data: string };

export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ReadEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const event = parse(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (event) yield event;
    }
  }
}

function parse(block: string): ReadEvent | null {
  const fields = new Map<string, string[]>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    fields.set(name, [...(fields.get(name) ?? []), line.slice(colon + 1).replace(/^ /, '')]);
  }
  const data = fields.get('data');
  return data
    ? { event: fields.get('event')?.[0] ?? 'message', id: fields.get('id')?.[0] ?? null, data: data.join('\n') }
    : null;
}
