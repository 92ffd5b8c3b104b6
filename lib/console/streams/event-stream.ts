import { encodeEvent, opening, parseEventId } from './sse.ts';

/** What a stream needs of its feed. */
export type Followed = {
  readonly view: unknown;
  readonly revision: number;
  readonly trouble: { event: string; data: unknown } | null;
  readonly ended: { code: string; message: string } | null;
  after(id: number, characters: number): { id: number; text: string }[] | null;
  snapshotText(): string;
  change(ms: number, signal: AbortSignal): Promise<void>;
};

const heartbeatMs = 10_000;
/** About as much as a socket takes at once. */
const chunkCharacters = 64 * 1024;

/**
 * The bytes for one follower. Nothing is queued: each part is read from the feed when the follower has room, so that a slow reader delays nobody and
 * costs no memory. `close` is called once, however the stream ends.
 */
export function eventStream(
  feed: Followed,
  lastEventId: string | null,
  signal: AbortSignal,
  close: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const stop = new AbortController();
  let position = parseEventId(lastEventId);
  let complained: unknown = null;
  let opened = false;
  let closed = false;
  const finish = () => {
    if (closed) return;
    closed = true;
    stop.abort();
    signal.removeEventListener('abort', finish);
    close();
  };
  if (signal.aborted) finish();
  else signal.addEventListener('abort', finish, { once: true });

  /** What to send now; empty if there is nothing. */
  const next = (): string => {
    if (!feed.view) {
      if (feed.trouble === complained) return '';
      complained = feed.trouble;
      return feed.trouble ? encodeEvent(feed.trouble, null) : '';
    }
    const events = position === null ? null : feed.after(position, chunkCharacters);
    if (events === null) {
      position = feed.revision;
      return feed.snapshotText();
    }
    position = events.at(-1)?.id ?? position;
    return events.map(({ text }) => text).join('');
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!opened) {
          opened = true;
          controller.enqueue(encoder.encode(opening));
          return;
        }
        let text = '';
        while (!closed) {
          text = next();
          if (text !== '') break;
          if (feed.ended) {
            controller.enqueue(encoder.encode(encodeEvent({ event: 'end', data: feed.ended }, null)));
            break;
          }
          const before = performance.now();
          await feed.change(heartbeatMs, stop.signal);
          if (performance.now() - before >= heartbeatMs - 50) {
            text = encodeEvent({ event: 'heartbeat', data: { at: new Date().toISOString() } }, null);
            break;
          }
        }
        if (closed || text === '') {
          finish();
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode(text));
      },
      cancel: finish,
    },
    { highWaterMark: 1 },
  );
}

/** A stream that only says why there is none. */
export function lastWords(code: string, message: string): ReadableStream<Uint8Array> {
  const text = encodeEvent({ event: 'end', data: { code, message } }, null);
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}
