import { expect, test } from 'vitest';
import type { Verdict } from '#lib/node-state/index.ts';
import { nodeOfRun } from '#lib/run/index.ts';
import { lineOf, verdictOf } from './node-line.ts';

const planes: readonly Verdict['plane'][] = ['bpf', 'standard', 'moving', 'fell-back', 'unknown', 'not-counted'];
const awaited: readonly Verdict['awaits'][] = [null, 'agent', 'restart', 'word'];

/** Only a node that is on a data plane was seen there. */
const seenOn = (plane: Verdict['plane']): Verdict['seen'][] =>
  plane === 'bpf' || plane === 'standard'
    ? [null, { plane, sinceChange: true }, { plane, sinceChange: false }]
    : [null];

const verdicts = planes.flatMap((plane) =>
  awaited.flatMap((awaits) =>
    seenOn(plane).map((seen): Verdict => ({ plane, because: 'as seen', seen, awaits, evidence: [] })),
  ),
);

test('a line tells all of a verdict, so that who follows a run judges a node as who carries it', () => {
  expect(verdicts.length).toBeGreaterThan(30);
  for (const verdict of verdicts) {
    const restored = verdictOf(lineOf({ name: 'w', ready: true }, verdict));
    expect(restored).toEqual(verdict);
    expect(nodeOfRun('w', restored, 'standard')).toEqual(nodeOfRun('w', verdict, 'standard'));
  }
});

test('a node that was seen where it is adds nothing to its line', () => {
  const verdict: Verdict = {
    plane: 'bpf',
    because: 'its agent says so',
    seen: { plane: 'bpf', sinceChange: true },
    awaits: null,
    evidence: [],
  };
  expect(Object.keys(lineOf({ name: 'w', ready: true }, verdict))).toEqual(['name', 'ready', 'plane', 'because']);
});
