import { afterEach, expect, test } from 'vitest';
import { readEvents } from '#lib/console/streams/testing/sse-reader.ts';
import { foldRun, type RunStreamEvent, type RunView } from '#lib/console/wire.ts';
import { startRun } from '#lib/run/index.ts';
import { type LiveStage, openLiveStage } from '../testing/live-stage.ts';

let on: LiveStage;
const stop = new AbortController();
afterEach(() => on.close());

test('a page that follows a run sees it to its end, and shows what a page shows that is opened then', async () => {
  on = await openLiveStage({ nodes: 4 });
  const { stage, live } = on;
  const publisher = live.runPublisher('a-cluster');
  const plan = await stage.plan();
  const named = Promise.withResolvers<string>();
  const followed = named.promise.then((run) => untilEnded(live.runEvents('a-cluster', run, null, stop.signal)));
  const started = startRun(
    {
      ...stage.process(),
      onEvent: (event) => {
        publisher.tell(event);
        named.resolve(event.run);
      },
    },
    plan,
  );
  const result = await started;
  publisher.end();
  if ('refused' in result) throw new Error('refused');
  const seen = await followed;
  expect(seen.state).toEqual({ kind: 'done' });
  expect(seen.nodes.map(({ state }) => state)).toEqual(['proven', 'proven', 'proven', 'proven']);
  const opened = await live.runView('a-cluster', result.run);
  expect(seen).toEqual(opened);
});

async function untilEnded(stream: ReadableStream<Uint8Array>): Promise<RunView> {
  let view: RunView | null = null;
  for await (const { data } of readEvents(stream)) {
    const event = JSON.parse(data) as RunStreamEvent;
    view = event.event === 'snapshot' ? event.data : view && foldRun(view, event);
    if (view?.state.kind === 'done' && view.role === 'follower') return view;
  }
  throw new Error('the stream ended');
}
