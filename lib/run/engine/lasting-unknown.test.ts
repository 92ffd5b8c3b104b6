import { expect, test } from 'vitest';
import type { Progress } from '../conditions/progress.ts';
import { LastingUnknown } from './lasting-unknown.ts';

const unknown = (...names: string[]): Progress => ({
  kind: 'unknown',
  because: 'Their logs cannot be read.',
  subjects: names.map((name) => ({ kind: 'Node', namespace: null, name, detail: '' })),
});
const waiting: Progress = { kind: 'waiting', awaiting: 'nodes', heldUpBy: [] };

/** Looks every 10 s; returns what the last one says. */
const after = (...looks: Progress[]) => {
  const lasting = new LastingUnknown();
  return looks.map((look, index) => lasting.seconds(look, index * 10_000)).at(-1);
};

test.each<[string, Progress[], number]>([
  ['the same node for five looks', Array.from({ length: 5 }, () => unknown('a')), 40],
  ['for four looks only', Array.from({ length: 4 }, () => unknown('a')), 0],
  ['a doubt about no node in particular', Array.from({ length: 6 }, () => unknown()), 50],
  ['two nodes in turns', Array.from({ length: 8 }, (_, index) => unknown(index % 2 ? 'a' : 'b')), 0],
  ['one node that stays, others that pass', Array.from({ length: 6 }, (_, index) => unknown('a', `b${index}`)), 50],
  ['a look in between that could tell', [...Array.from({ length: 5 }, () => unknown('a')), waiting, unknown('a')], 0],
])('%s', (_name, looks, seconds) => {
  expect(after(...looks)).toBe(seconds);
});
