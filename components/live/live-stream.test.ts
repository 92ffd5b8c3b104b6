import { expect, test } from 'vitest';
import { type LiveStream, type LiveStreamPorts, liveStream } from './live-stream.ts';

type View = { revision: number; texts: string[] };
type Event = { event: string; data: unknown };

const fold = (view: View, { event, data }: Event, id: number | null): View => {
  if (event === 'snapshot') return data as View;
  return id === null ? view : { revision: id, texts: [...view.texts, String(data)] };
};
const log = (id: number, text: string) =>
  `event: log\nid: ${id}\ndata: ${JSON.stringify({ event: 'log', data: text })}\n\n`;
const plain = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify({ event, data })}\n\n`;

/** A simulated browser: the test controls its responses, its clock and whether its page is visible. */
function aBrowser() {
  let nowMs = 0;
  let tell: Parameters<LiveStreamPorts['listen']>[0] = () => {};
  const timers = new Map<number, { at: number; work: () => void }>();
  const frames: (() => void)[] = [];
  const calls: { lastEventId: string | null; signal: AbortSignal; answer(response: Response): void; lose(): void }[] =
    [];
  let bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
  let counter = 0;
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const around: LiveStreamPorts = {
    fetch: (_url, init) =>
      new Promise((resolve, reject) => {
        const signal = init.signal ?? new AbortController().signal;
        signal.addEventListener('abort', () => reject(signal.reason));
        const lastEventId = new Headers(init.headers).get('last-event-id');
        calls.push({ lastEventId, signal, answer: resolve, lose: () => reject(new TypeError('Failed to fetch')) });
      }),
    now: () => nowMs,
    random: () => 1,
    setTimeout: (work, ms) => {
      timers.set(++counter, { at: nowMs + ms, work });
      return counter;
    },
    clearTimeout: (timer) => timers.delete(timer),
    frame: (work) => frames.push(work),
    isOffline: () => false,
    listen: (listener) => {
      tell = listener;
      return () => {
        tell = () => {};
      };
    },
  };
  const draw = async () => {
    await settle();
    while (frames.length > 0) frames.shift()?.();
  };
  return {
    around,
    calls,
    draw,
    timers,
    page: (event: 'hidden' | 'shown' | 'online') => tell(event),
    async pass(ms: number) {
      const end = nowMs + ms;
      for (;;) {
        const [id, due] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
        if (id === undefined || !due) break;
        timers.delete(id);
        nowMs = Math.max(nowMs, due.at);
        due.work();
        await settle();
      }
      nowMs = end;
      await draw();
    },
    async open() {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) });
      calls.at(-1)?.answer(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
      await draw();
    },
    async send(text: string) {
      bodies.at(-1)?.enqueue(new TextEncoder().encode(text));
      await draw();
    },
    /** It comes, and no picture is drawn yet. */
    async sendUndrawn(text: string) {
      bodies.at(-1)?.enqueue(new TextEncoder().encode(text));
      await settle();
    },
    async drop() {
      bodies.at(-1)?.close();
      bodies = [];
      await draw();
    },
  };
}

async function following() {
  const browser = aBrowser();
  const stream: LiveStream<View> = liveStream<View, Event>(
    '/events',
    { revision: 10, texts: [] },
    fold,
    browser.around,
  );
  let drawn = 0;
  const leave = stream.subscribe(() => drawn++);
  await browser.open();
  await browser.send(plain('heartbeat', {}));
  return { ...browser, stream, leave, drawn: () => drawn };
}

test('it asks for what comes after the view that the server rendered', async () => {
  const { calls, send, stream } = await following();
  expect(calls.map(({ lastEventId }) => lastEventId)).toEqual(['10']);
  await send(log(11, 'a'));
  expect(stream.current()).toEqual({ view: { revision: 11, texts: ['a'] }, connection: { kind: 'live', since: 0 } });
});

test('many events are one drawing', async () => {
  const { send, drawn, stream } = await following();
  const before = drawn();
  await send(Array.from({ length: 300 }, (_, index) => log(11 + index, `${index}`)).join(''));
  expect(stream.current().view.texts).toHaveLength(300);
  expect(drawn() - before).toBeLessThanOrEqual(2);
});

test('what was seen is not told twice; what is missing is asked for again', async () => {
  const { send, stream, calls, pass } = await following();
  await send(log(11, 'a') + log(11, 'a') + log(13, 'c'));
  expect(stream.current().view).toEqual({ revision: 11, texts: ['a'] });
  expect(stream.current().connection).toMatchObject({ kind: 'reconnecting', attempt: 1 });
  await pass(1_000);
  expect(calls.at(-1)?.lastEventId).toBe('11');
});

test('what has come is not asked for again, if the line is cut before it is drawn', async () => {
  const { sendUndrawn, drop, stream, calls, pass } = await following();
  await sendUndrawn(log(11, 'a') + log(12, 'b'));
  await drop();
  await pass(1_000);
  expect(calls.at(-1)?.lastEventId).toBe('12');
  expect(stream.current().view).toEqual({ revision: 12, texts: ['a', 'b'] });
});

test('nor if the page is hidden before it is drawn', async () => {
  const { sendUndrawn, page, pass, calls, draw } = await following();
  page('hidden');
  await pass(9_999);
  await sendUndrawn(log(11, 'a'));
  await pass(1);
  page('shown');
  await draw();
  expect(calls.map(({ lastEventId }) => lastEventId)).toEqual(['10', '11']);
});

test('silence is told after 15 s, and is the end of a connection after 25 s', async () => {
  const { stream, pass, calls } = await following();
  await pass(15_000);
  expect(stream.current().connection).toEqual({ kind: 'lagging', since: 0 });
  await pass(10_000);
  expect(stream.current().connection).toEqual({ kind: 'reconnecting', attempt: 1, at: 26_000, offline: false });
  expect(calls[0]?.signal.aborted).toBe(true);
  await pass(1_000);
  expect(calls).toHaveLength(2);
});

test('an ended session stops it with a reason, and nothing is asked any more', async () => {
  const { stream, drop, pass, calls, draw } = await following();
  await drop();
  await pass(1_000);
  calls.at(-1)?.answer(Response.json({ ok: false, code: 'session.missing', message: 'Over.' }, { status: 401 }));
  await draw();
  expect(stream.current().connection).toEqual({
    kind: 'stopped',
    problem: { code: 'session.missing', message: 'Over.' },
  });
  await pass(600_000);
  expect(calls).toHaveLength(2);
});

test('a stream that the console ends for good is not asked for again', async () => {
  const { stream, send, pass, calls } = await following();
  await send(plain('end', { code: 'run.unknown', message: 'There is no such run.' }));
  expect(stream.current().connection).toMatchObject({ kind: 'stopped', problem: { code: 'run.unknown' } });
  await pass(600_000);
  expect(calls).toHaveLength(1);
});

test('an answer that is no stream is tried again, later and later', async () => {
  const { drop, pass, calls, draw } = await following();
  await drop();
  const times: number[] = [];
  for (let tries = 0; tries < 4; tries++) {
    const before = calls.length;
    let waited = 0;
    while (calls.length === before) {
      await pass(500);
      waited += 500;
    }
    times.push(waited);
    calls.at(-1)?.answer(new Response('<html>', { headers: { 'Content-Type': 'text/html' } }));
    await draw();
  }
  expect(times).toEqual([1_000, 2_000, 4_000, 8_000]);
});

test('with updates paused, the view stays and what comes is counted; going on shows all of it', async () => {
  const { stream, send, draw } = await following();
  await send(log(11, 'a'));
  stream.pause();
  await send(log(12, 'b') + log(13, 'c') + plain('heartbeat', {}));
  expect(stream.current()).toEqual({ view: { revision: 11, texts: ['a'] }, connection: { kind: 'paused', unseen: 2 } });
  stream.resume();
  await draw();
  expect(stream.current().view.texts).toEqual(['a', 'b', 'c']);
});

test('a page that is hidden gives its connection back after a while, and catches up when it is shown', async () => {
  const { page, pass, calls, send, draw } = await following();
  await send(log(11, 'a'));
  page('hidden');
  await pass(9_000);
  expect(calls[0]?.signal.aborted).toBe(false);
  await pass(2_000);
  expect(calls[0]?.signal.aborted).toBe(true);
  await pass(60_000);
  expect(calls).toHaveLength(1);
  page('shown');
  await draw();
  expect(calls.at(-1)?.lastEventId).toBe('11');
});

test('a short look away costs nothing', async () => {
  const { page, pass, calls } = await following();
  page('hidden');
  await pass(5_000);
  page('shown');
  await pass(9_000);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.signal.aborted).toBe(false);
});

test('the network coming back is no time to wait', async () => {
  const { drop, page, calls, draw } = await following();
  await drop();
  page('online');
  await draw();
  expect(calls).toHaveLength(2);
});

test('who leaves takes the connection and every timer along', async () => {
  const { leave, calls, timers, draw } = await following();
  leave();
  await draw();
  expect(calls[0]?.signal.aborted).toBe(true);
  expect(timers.size).toBe(0);
});

test('a newer view of a page that was loaded again is taken, an older one is not', async () => {
  const { stream, draw } = await following();
  stream.offer({ revision: 20, texts: ['new'] });
  stream.offer({ revision: 5, texts: ['old'] });
  await draw();
  expect(stream.current().view).toEqual({ revision: 20, texts: ['new'] });
});
