import { expect, test } from 'vitest';
import { waitingFetch } from './waiting-fetch.ts';

const page = { headers: { rsc: '1' } };
const away = () => Promise.reject(new TypeError('Failed to fetch'));

function fetching(failures: number) {
  const told: number[] = [];
  const slept: number[] = [];
  let left = failures;
  const fetch = waitingFetch(async () => (left-- > 0 ? away() : new Response('page')), {
    sleep: async (ms) => void slept.push(ms),
    tell: (waiting) => void told.push(waiting),
  });
  return { fetch, told, slept };
}

test('a page that is opened while the console is away waits until it is back, and says so', async () => {
  const { fetch, told, slept } = fetching(5);
  expect(await (await fetch('/clusters', page)).text()).toBe('page');
  expect(told).toEqual([1, 0]);
  expect(slept).toEqual([500, 1000, 2000, 3000, 3000]);
});

test('nothing is told while the console answers', async () => {
  const { fetch, told } = fetching(0);
  await fetch('/clusters', page);
  expect(told).toEqual([]);
});

test.each([
  ['an action', { method: 'POST', headers: { rsc: '1', 'next-action': 'x' } }],
  ['what is only fetched ahead', { headers: { rsc: '1', 'next-router-prefetch': '1' } }],
  ['anything else', {}],
  ['a page that nobody waits for any more', { ...page, signal: AbortSignal.abort() }],
])('%s fails at once', async (_what, init) => {
  const { fetch, slept } = fetching(1);
  await expect(fetch('/', init)).rejects.toThrow('Failed to fetch');
  expect(slept).toEqual([]);
});
