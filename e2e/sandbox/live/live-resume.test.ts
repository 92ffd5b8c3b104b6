import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LiveStreamPorts, liveStream } from '#components/live/live-stream.ts';
import { foldRun, type RunStreamEvent, type RunView } from '#lib/console/wire.ts';
import { startRun } from '#lib/run/index.ts';
import { type LiveStage, openLiveStage } from '../testing/live-stage.ts';

let on: LiveStage;
let run: string;
let opened: RunView;
let ended: RunView;
let whole: Uint8Array;

/** Runs a plan to its end; the console still has every event of the run. */
beforeAll(async () => {
  on = await openLiveStage({ nodes: 3 });
  const { stage, live } = on;
  const publisher = live.runPublisher('a-cluster');
  const first = Promise.withResolvers<RunView>();
  const result = await startRun(
    {
      ...stage.process(),
      onEvent: (event) => {
        publisher.tell(event);
        live.runView('a-cluster', event.run).then(first.resolve, first.reject);
      },
    },
    await stage.plan(),
  );
  publisher.end();
  if ('refused' in result) throw new Error('refused');
  run = result.run;
  opened = await first.promise;
  ended = await live.runView('a-cluster', run);
  whole = await readFor(
    live.runEvents('a-cluster', run, String(opened.revision), new AbortController().signal),
    ended.revision,
  );
});
afterAll(() => on.close());

test('there is something to cut', () => {
  expect(ended.revision - opened.revision).toBeGreaterThan(20);
  expect(ended.state).toEqual({ kind: 'done' });
  expect(opened.state).toEqual({ kind: 'running', direction: 'forward' });
});

test('a stream that is cut at any byte goes on where it was: no event is lost, none comes twice', async () => {
  const step = Math.max(1, Math.floor(whole.length / 400));
  for (let cut = 0; cut <= whole.length; cut += step) {
    const page = aPage([cut]);
    expect(await page.until(({ revision }) => revision >= ended.revision), `cut after ${cut} bytes`).toEqual(ended);
    expect(page.asked.slice(0, 1), `cut after ${cut} bytes`).toEqual([String(opened.revision)]);
    page.close();
  }
});

test('a stream that is cut again and again gets there', async () => {
  const page = aPage(Array.from({ length: 12 }, (_, index) => 300 + index * 517));
  expect(await page.until(({ revision }) => revision >= ended.revision)).toEqual(ended);
  expect(new Set(page.asked).size).toBeGreaterThan(3);
  page.close();
});

test('a page from before the console was started anew gets the whole again', async () => {
  const page = aPage([], { ...opened, revision: 30_000_007 });
  expect(await page.until(({ revision }) => revision >= ended.revision)).toEqual(ended);
  page.close();
});

/** A page whose first connections end after these numbers of bytes; the one after them stays open. */
function aPage(cuts: number[], initial: RunView = opened) {
  const asked: string[] = [];
  const left = [...cuts];
  const around: LiveStreamPorts = {
    fetch: async (_url, init) => {
      const lastEventId = new Headers(init.headers).get('last-event-id') ?? '';
      asked.push(lastEventId);
      const signal = init.signal ?? new AbortController().signal;
      const body = on.live.runEvents('a-cluster', run, lastEventId, signal);
      const cut = left.shift();
      return new Response(cut === undefined ? body : body.pipeThrough(cutAfter(cut)), {
        headers: { 'Content-Type': 'text/event-stream' },
      });
    },
    now: () => Date.now(),
    random: () => 0,
    setTimeout: (work, ms) => Number(setTimeout(work, ms).unref()),
    clearTimeout: (timer) => clearTimeout(timer),
    frame: (work) => queueMicrotask(work),
    isOffline: () => false,
    listen: () => () => {},
  };
  const stream = liveStream<RunView, RunStreamEvent>('/events', initial, (view, event) => foldRun(view, event), around);
  let look = () => {};
  const close = stream.subscribe(() => look());
  return {
    asked,
    close,
    until: (holds: (view: RunView) => boolean) =>
      new Promise<RunView>((resolve) => {
        look = () => {
          if (holds(stream.current().view)) resolve(stream.current().view);
        };
        look();
      }),
  };
}

/** Passes on so many bytes, then fails. */
function cutAfter(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, controller) {
      if (left > 0) controller.enqueue(chunk.slice(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new Error('the connection was cut'));
    },
  });
}

async function readFor(stream: ReadableStream<Uint8Array>, revision: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    if (new TextDecoder().decode(chunk).includes(`id: ${revision}\n`)) break;
  }
  return Buffer.concat(chunks);
}
