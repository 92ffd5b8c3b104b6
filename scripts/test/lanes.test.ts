import { expect, test } from 'vitest';
import { runInLanes } from './lanes.mjs';
import type { Suite } from './suites.mjs';

const suite = (name: string, lane: Suite['lane']): Suite => ({
  name,
  what: '',
  before: null,
  lane,
  requires: [],
  wants: [],
});

/** Which suites ran beside which, by the order of their beginnings and ends. */
async function ran(picked: readonly Suite[]) {
  const seen: string[] = [];
  const tallies = await runInLanes(picked, async ({ name }, beside) => {
    seen.push(`${name}${beside ? ' beside' : ''}`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`end of ${name}`);
    return { passed: 1, failed: [name], skipped: 0 };
  });
  return { seen, order: tallies.flatMap(({ failed }) => failed) };
}

const [first, unit, hostile, cluster] = [
  suite('static', 'first'),
  suite('unit', 'computes'),
  suite('hostile', 'computes'),
  suite('cluster', 'waits'),
] as const;

test('what comes first is alone; the two lanes run at the same time, each in its order', async () => {
  const { seen, order } = await ran([first, unit, cluster, hostile]);
  expect(seen.slice(0, 2)).toEqual(['static', 'end of static']);
  expect(seen.slice(2, 4).sort()).toEqual(['cluster beside', 'unit beside']);
  expect(seen.indexOf('hostile beside')).toBeGreaterThan(seen.indexOf('end of unit'));
  expect(order).toEqual(['static', 'unit', 'cluster', 'hostile']);
});

test('one lane alone shows its output as it is', async () => {
  expect((await ran([unit, hostile])).seen).toEqual(['unit', 'end of unit', 'hostile', 'end of hostile']);
});
