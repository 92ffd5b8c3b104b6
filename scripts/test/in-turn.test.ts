import { expect, test } from 'vitest';
import { runInTurn } from './in-turn.mjs';
import type { Suite } from './suites.mjs';

const suite = (name: string, runs: Suite['runs'] = 'beside'): Suite => ({
  name,
  what: '',
  before: null,
  runs,
  requires: [],
  wants: [],
});

/** Runs the suites, each for its number of turns of the event loop. Returns their begins and ends in order. */
async function ran(picked: readonly Suite[], turns: Readonly<Record<string, number>> = {}) {
  const seen: string[] = [];
  const order = await runInTurn(picked, async ({ name }, { beside, priority }) => {
    seen.push(`${name}${beside ? ' beside' : ''}${priority === 'low' ? ', low' : ''}`);
    for (let turn = turns[name] ?? 1; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
    seen.push(`end of ${name}`);
    return [name];
  });
  return { seen, order };
}

test('what runs alone comes first; of the others two run at the same time, and the next begins when one ends', async () => {
  const picked = [suite('long'), suite('short'), suite('static', 'alone'), suite('middle'), suite('next')];
  const { seen, order } = await ran(picked, { long: 12, short: 1, middle: 5, next: 1 });
  expect(seen).toEqual([
    ...['static', 'end of static'],
    ...['long beside', 'short beside', 'end of short', 'middle beside', 'end of middle', 'next beside', 'end of next'],
    'end of long',
  ]);
  expect(order).toEqual(['long', 'short', 'static', 'middle', 'next']);
});

test('what runs below others runs from their start to its own end, at a low priority, and takes none of their places', async () => {
  const picked = [suite('long'), suite('short'), suite('next'), suite('computes', 'below'), suite('static', 'alone')];
  expect((await ran(picked, { long: 9, short: 1, next: 1, computes: 5 })).seen).toEqual([
    ...['static', 'end of static'],
    ...['computes beside, low', 'long beside', 'short beside', 'end of short', 'next beside', 'end of next'],
    ...['end of computes', 'end of long'],
  ]);
  expect((await ran([suite('static', 'alone'), suite('computes', 'below')])).seen).toContain('computes');
});

test('what runs first has only the suites below it beside it, and comes before the others', async () => {
  const picked = [suite('static', 'alone'), suite('kernels', 'first'), suite('long'), suite('computes', 'below')];
  expect((await ran(picked, { kernels: 3, long: 1, computes: 9 })).seen).toEqual([
    ...['static', 'end of static', 'kernels beside', 'computes beside, low', 'end of kernels', 'long beside'],
    ...['end of long', 'end of computes'],
  ]);
  expect((await ran([suite('kernels', 'first'), suite('long')])).seen).toEqual([
    ...['kernels', 'end of kernels', 'long', 'end of long'],
  ]);
});

test('one suite shows its output as it is', async () => {
  expect((await ran([suite('static', 'alone'), suite('unit')])).seen).toEqual([
    ...['static', 'end of static', 'unit', 'end of unit'],
  ]);
});
