import { expect, test } from 'vitest';
import { eventStream } from './event-stream.ts';
import { Feed } from './feed.ts';
import { readEvents } from './testing/sse-reader.ts';

type View = { revision: number; total: number };
type Event = { event: 'add' | 'snapshot'; data: unknown };

const feedOf = (limits = { events: 5, characters: 10_000 }) => {
  const feed = new Feed<View, Event>(
    (view, { data }, id) => ({ revision: id, total: view.total + Number(data) }),
    1,
    limits,
  );
  return { feed, add: (data: number) => feed.publish(() => ({ event: 'add', data })) };
};
const follow = (feed: ReturnType<typeof feedOf>['feed'], lastEventId: string | null = null) => {
  const stop = new AbortController();
  let closed = 0;
  const stream = eventStream(feed, lastEventId, stop.signal, () => closed++);
  return { events: readEvents(stream), stop, closed: () => closed };
};
const nextEvents = async (
  events: AsyncGenerator<{ event: string; id: string | null; data: string }>,
  count: number,
) => {
  const found: string[] = [];
  while (found.length < count) {
    const { value, done } = await events.next();
    if (done) break;
    found.push(`${value.id} ${value.event} ${JSON.stringify((JSON.parse(value.data) as { data: unknown }).data)}`);
  }
  return found;
};

test('a new follower gets the view, then each event', async () => {
  const { feed, add } = feedOf();
  feed.snapshot((revision) => ({ revision, total: 0 }));
  add(1);
  const { events } = follow(feed);
  expect(await nextEvents(events, 1)).toEqual(['1002 snapshot {"revision":1002,"total":1}']);
  add(2);
  add(3);
  expect(await nextEvents(events, 2)).toEqual(['1003 add 2', '1004 add 3']);
});

test('one that was away for a moment gets what it missed; one that was away for long gets the view', async () => {
  const { feed, add } = feedOf();
  feed.snapshot((revision) => ({ revision, total: 0 }));
  for (let count = 0; count < 9; count++) add(1);
  expect(await nextEvents(follow(feed, '1008').events, 2)).toEqual(['1009 add 1', '1010 add 1']);
  expect(await nextEvents(follow(feed, '1002').events, 1)).toEqual(['1010 snapshot {"revision":1010,"total":9}']);
});

test('one that reads slowly is never sent what it is too late for: it gets the view, and nothing waits for it', async () => {
  const { feed, add } = feedOf();
  feed.snapshot((revision) => ({ revision, total: 0 }));
  const { events } = follow(feed);
  await nextEvents(events, 1);
  for (let count = 0; count < 1_000; count++) add(1);
  const next = await nextEvents(events, 1);
  expect(next).toEqual(['2001 snapshot {"revision":2001,"total":1000}']);
});

test('whoever comes before there is a view is told what keeps it from coming', async () => {
  const { feed } = feedOf();
  const { events } = follow(feed);
  const first = nextEvents(events, 1);
  feed.complain({ event: 'add', data: 'no answer yet' });
  expect(await first).toEqual(['null add "no answer yet"']);
  feed.snapshot((revision) => ({ revision, total: 0 }));
  expect(await nextEvents(events, 1)).toEqual(['1001 snapshot {"revision":1001,"total":0}']);
});

test('a feed that is over says so and ends; a follower that leaves is let go once', async () => {
  const { feed, add } = feedOf();
  feed.snapshot((revision) => ({ revision, total: 0 }));
  const { events, closed } = follow(feed);
  await nextEvents(events, 1);
  add(1);
  feed.end('gone', 'It was removed.');
  expect(await nextEvents(events, 5)).toEqual(['1002 add 1', 'null end {"code":"gone","message":"It was removed."}']);
  expect(closed()).toBe(1);

  const other = feedOf();
  other.feed.snapshot((revision) => ({ revision, total: 0 }));
  const leaving = follow(other.feed);
  await nextEvents(leaving.events, 1);
  leaving.stop.abort();
  expect(await nextEvents(leaving.events, 1)).toEqual([]);
  leaving.stop.abort();
  expect(leaving.closed()).toBe(1);
});
