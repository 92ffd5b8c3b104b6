import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RetriedPages } from './away.ts';
import { waitingFetch } from './waiting-fetch.ts';

const page = { headers: { rsc: '1' } };
const away = () => Promise.reject(new TypeError('Failed to fetch'));
const hanging = () => new Promise<Response>(() => {});

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A console that begins to answer after `backAfterMs`; the page that is shown is `/shown`. */
function fetching(backAfterMs: number, meanwhile: () => Promise<Response> = away) {
  const reported: RetriedPages[] = [];
  const askedAt: number[] = [];
  const fetch = waitingFetch(
    (input) => {
      askedAt.push(Date.now());
      return Date.now() < backAfterMs ? meanwhile() : Promise.resolve(new Response(`page ${String(input)}`));
    },
    { isShown: (url) => url === '/shown', tell: (now) => void reported.push(now), reading: () => {} },
  );
  /** How a request ended, and when. */
  const open = (url: string, init: RequestInit = page) =>
    fetch(url, init).then(
      async (response) => `${await response.text()} at ${Date.now()}`,
      (error: Error) => `${error.message} at ${Date.now()}`,
    );
  return { open, reported, askedAt };
}

test('a page that is opened while the console is away waits until it is back, and says so', async () => {
  const { open, reported, askedAt } = fetching(9_000);
  const opened = open('/clusters');
  await vi.advanceTimersByTimeAsync(8_000);
  expect(reported).toEqual([{ waiting: 1, opening: 1 }]);
  await vi.runAllTimersAsync();
  expect(await opened).toBe('page /clusters at 9500');
  expect(askedAt).toEqual([0, 500, 1500, 3500, 6500, 9500]);
  expect(reported.at(-1)).toEqual({ waiting: 0, opening: 0 });
});

test('nothing is told while the console answers', async () => {
  const { open, reported } = fetching(0);
  expect(await open('/clusters')).toBe('page /clusters at 0');
  expect(reported).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a console that stays away: the page fails after half a minute, and nothing is asked any more', async () => {
  const { open, reported } = fetching(Number.POSITIVE_INFINITY);
  const opened = open('/clusters');
  await vi.runAllTimersAsync();
  expect(await opened).toBe('Failed to fetch at 30000');
  expect(reported.at(-1)).toEqual({ waiting: 0, opening: 0 });
});

test('a request that hangs ends too', async () => {
  const { open } = fetching(Number.POSITIVE_INFINITY, hanging);
  const opened = open('/clusters');
  await vi.runAllTimersAsync();
  expect(await opened).toMatch(/^Nothing answered in 30000 ms at 30000$/);
});

test('the page that is shown is read again until the console is back, and nobody is told that a page opens', async () => {
  const { open, reported } = fetching(600_000);
  const refreshed = open('/shown');
  await vi.advanceTimersByTimeAsync(100_000);
  expect(reported).toEqual([{ waiting: 1, opening: 0 }]);
  await vi.runAllTimersAsync();
  expect(await refreshed).toMatch(/^page \/shown at 60/);
  expect(reported.at(-1)).toEqual({ waiting: 0, opening: 0 });
});

test('what waits for one address waits once, and each has the whole answer', async () => {
  const { open, reported, askedAt } = fetching(5_000);
  const first = [open('/shown'), open('/shown')];
  await vi.advanceTimersByTimeAsync(2_000);
  const all = [...first, open('/shown')];
  await vi.runAllTimersAsync();
  expect(await Promise.all(all)).toEqual(Array(3).fill('page /shown at 6500'));
  expect(askedAt).toEqual([0, 0, 500, 1500, 3500, 6500]);
  expect(Math.max(...reported.map(({ waiting }) => waiting))).toBe(1);
});

test.each([
  ['an action', { method: 'POST', headers: { rsc: '1', 'next-action': 'x' } }],
  ['what is only fetched ahead', { headers: { rsc: '1', 'next-router-prefetch': '1' } }],
  ['anything else', {}],
  ['a page that nobody waits for any more', { ...page, signal: AbortSignal.abort() }],
])('%s fails at once', async (_what, init) => {
  const { open, reported } = fetching(1);
  expect(await open('/', init)).toBe('Failed to fetch at 0');
  expect(reported).toEqual([]);
});
