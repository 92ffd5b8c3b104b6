import { expect, test } from 'vitest';
import type { Family } from '#lib/base/ip.ts';
import { hopsToAsk, type NeededHop, type RequestedHops } from './choose-neighbours.ts';

const room = { 4: 256, 6: 256 } as const;
/** The agent's interval, and its number of looks while the kernel waits for a neighbour that does not answer. */
const look = { ns: 500_000_000n, inWait: 6 } as const;

const hop = (value: number, ifindex: number, lastNs: bigint, family: Family = 4): NeededHop => ({
  to: { family, value: BigInt(value) },
  ifindex,
  lastNs,
});

/** Makes several looks; `needed` returns the hops that packets need at each. Returns what each look asks for. */
function looks(times: number, needed: (at: number, nowNs: bigint) => readonly NeededHop[]) {
  let before: RequestedHops = new Map();
  return Array.from({ length: times }, (_, at) => {
    const nowNs = 100_000_000_000n + BigInt(at) * look.ns;
    const { ask, requested } = hopsToAsk(needed(at, nowNs), before, nowNs, room);
    before = requested;
    return ask;
  });
}

/** A thousand new hops at each look, the oldest of them `ageNs` old. */
const flood = (at: number, nowNs: bigint, ifindex = 0, ageNs = 400_000_000n, family: Family = 4) =>
  Array.from({ length: 1_000 }, (_, more) =>
    hop(1_000_000 + at * 1_000 + more, ifindex, nowNs - ageNs + BigInt(more), family),
  );

const gateway = (nowNs: bigint, ifindex = 0) => hop(1, ifindex, nowNs - look.ns + 1n);

test.each([
  ['not found', [0]],
  ['known', [7]],
  ['of both kinds', [7, 0]],
] as const)('the kernel never waits for more of a family than there is room for: %s', (_, kinds) => {
  const all = looks(30, (at, nowNs) =>
    kinds.flatMap((ifindex) => ([4, 6] as const).flatMap((family) => flood(at, nowNs, ifindex, 400_000_000n, family))),
  );
  for (const family of [4, 6] as const) {
    const waitingAt = (at: number) =>
      all.slice(Math.max(0, at - look.inWait), at + 1).flatMap((ask) => ask.filter(({ to }) => to.family === family))
        .length;
    const most = Math.max(...all.map((_, at) => waitingAt(at)));
    expect(most).toBeLessThanOrEqual(room[family]);
    expect(most).toBeGreaterThan(room[family] / 2 - 4);
  }
});

test.each(Array.from({ length: 12 }, (_, at) => at))(
  'a busy gateway is asked for at once, however many are made up after it (look %d of the flood)',
  (begins) => {
    const all = looks(begins + 1, (at, nowNs) => [...flood(at, nowNs), ...(at === begins ? [gateway(nowNs)] : [])]);
    expect(all.at(-1)?.map(({ to }) => to.value)).toContain(1n);
  },
);

test('hops that are known keep their share, whatever is not found, and are asked for at each look', () => {
  const known = (nowNs: bigint) => Array.from({ length: 128 }, (_, at) => hop(at, 7, nowNs - 30_000_000_000n));
  for (const ask of looks(12, (at, nowNs) => [...flood(at, nowNs), ...known(nowNs)])) {
    expect(ask.filter(({ ifindex }) => ifindex === 7)).toHaveLength(128);
    // They come before all others.
    expect(ask.slice(0, 128).every(({ ifindex }) => ifindex === 7)).toBe(true);
  }
});

test('of more known ones than their share those are asked for that were needed last, once others made room', () => {
  const all = looks(8, (at, nowNs) => [
    ...Array.from({ length: 128 }, (_, more) => hop(more, 7, nowNs - 2_000_000_000n)),
    ...(at === 0 ? [] : [hop(1_000, 7, nowNs)]),
  ]);
  const isNewRequested = all.map((ask) => ask.some(({ to }) => to.value === 1_000n));
  expect(isNewRequested).toEqual([false, false, false, false, false, false, false, true]);
  expect(all[0]?.some(({ to }) => to.value === 127n)).toBe(true);
  // The kernel may still wait for it, so it is not asked for again.
  expect(all[1]?.some(({ to }) => to.value === 127n)).toBe(false);
});

test('who was asked for lately is asked for again, and counts once', () => {
  const all = looks(12, (_, nowNs) => Array.from({ length: 60 }, (_, at) => hop(at, 0, nowNs)));
  expect(all.map((ask) => ask.length)).toEqual(Array(12).fill(60));
});

test('with room for one it is for one that was not found', () => {
  const needed = [hop(1, 7, 0n), hop(2, 0, 0n)];
  expect(hopsToAsk(needed, new Map(), 1n, { 4: 1, 6: 1 }).ask).toEqual([needed[1]]);
  expect(hopsToAsk(needed, new Map(), 1n, { 4: 0, 6: 0 }).ask).toEqual([]);
});
