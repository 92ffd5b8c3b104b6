import { expect, test } from 'vitest';
import { freshMs, keptForAWhile } from './kept-for-a-while.ts';

function aCache(entries = 3) {
  let now = 0;
  let made = 0;
  const store = keptForAWhile<number>(() => now, entries);
  return {
    store,
    pass: (ms: number) => {
      now += ms;
    },
    ask: (key: string, freshness: 'kept' | 'again' = 'kept') => store.get(key, freshness, async () => ++made),
  };
}

test('made once in five minutes, and whenever it is asked for again', async () => {
  const { ask, pass } = aCache();
  expect(await ask('a')).toBe(1);
  pass(freshMs - 1);
  expect(await ask('a')).toBe(1);
  pass(1);
  expect(await ask('a')).toBe(2);
  expect(await ask('a', 'again')).toBe(3);
  expect(await ask('a')).toBe(3);
});

test('whoever asks meanwhile shares the one that is being made', async () => {
  const { ask } = aCache();
  expect(await Promise.all([ask('a'), ask('a'), ask('a', 'again'), ask('b')])).toEqual([1, 1, 1, 2]);
});

test('what was forgotten while it was being made is not kept', async () => {
  const { ask, store } = aCache();
  const [one] = [ask('cluster 1'), store.forget('cluster ')];
  expect(await one).toBe(1);
  expect(store.peek('cluster 1')).toBeNull();
  expect(await ask('cluster 1')).toBe(2);
  store.forget('other ');
  expect(await ask('cluster 1')).toBe(2);
});

test('a failure is told to whoever asked, and not kept', async () => {
  const { store, ask } = aCache();
  const failing = () => Promise.reject(new Error('away'));
  await expect(store.get('a', 'kept', failing)).rejects.toThrow('away');
  expect(await ask('a')).toBe(1);
});

test('no more than so many are kept', async () => {
  const { ask, store } = aCache(2);
  for (const key of ['a', 'b', 'c']) await ask(key);
  expect(['a', 'b', 'c'].map((key) => store.peek(key))).toEqual([null, 2, 3]);
});
