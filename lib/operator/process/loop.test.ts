import { expect, test } from 'vitest';
import { instantClock, KubeError } from '#lib/kube/index.ts';
import { type NextReconcile, startLoop } from './loop.ts';

function aLoop(reconcile: () => Promise<NextReconcile>) {
  const clock = instantClock();
  const began = clock.now();
  const end = new AbortController();
  const at: number[] = [];
  const log: string[] = [];
  const loop = startLoop({
    name: 'test',
    clock,
    signal: end.signal,
    random: () => 1,
    settleMs: 10,
    log: (line) => log.push(line),
    reconcile: () => {
      at.push(clock.now() - began);
      return reconcile();
    },
  });
  const finish = async () => {
    end.abort();
    await loop.ended;
  };
  return { loop, clock, at, log, finish };
}

test('it looks once at the start, and then only when it is asked to or its time has come', async () => {
  let again: NextReconcile = { inMs: 1_000 };
  const { loop, clock, at, finish } = aLoop(async () => again);
  await clock.sleep(500);
  expect(at).toEqual([10]);
  await clock.sleep(1_000);
  expect(at).toEqual([10, 1_020]);
  again = null;
  loop.trigger();
  loop.trigger();
  await clock.sleep(100_000);
  expect(at).toHaveLength(3);
  await finish();
});

test('a conflict is looked at again at once, and grows quieter', async () => {
  const { clock, at, log, finish } = aLoop(() => Promise.reject(new KubeError('conflict', 'changed')));
  await clock.sleep(30_000);
  await finish();
  expect(at[1]).toBeLessThan(100);
  expect(at.length).toBeLessThan(50);
  expect(log).toEqual([]);
});

test('other errors are told, with pauses that grow up to a minute', async () => {
  const { clock, at, log, finish } = aLoop(() => Promise.reject(new KubeError('server', 'the server answers 500')));
  await clock.sleep(600_000);
  await finish();
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  expect(pauses.slice(0, 3)).toEqual([1_010, 2_010, 4_010]);
  expect(pauses.at(-1)).toBe(60_010);
  expect(log[0]).toBe('test: the server answers 500; again in 1 s');
});

test('a change during a pass makes another pass', async () => {
  let first = true;
  const { loop, clock, at, finish } = aLoop(async () => {
    if (first) loop.trigger();
    first = false;
    return null;
  });
  await clock.sleep(1_000);
  await finish();
  expect(at).toHaveLength(2);
});
