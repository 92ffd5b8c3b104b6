import { expect, test } from 'vitest';
import { journeysTo } from '../journeys.ts';
import { whenPaused } from './when-paused.ts';

const goals = ['install', 'enable', 'restore', 'upgrade'] as const;
const operationsTo = (goal: (typeof goals)[number]) => [
  ...new Set(journeysTo(goal).flatMap(({ operations }) => operations)),
];
const definitions = goals.flatMap(operationsTo);

test('both ways to switch say that both data planes run side by side', () => {
  expect(whenPaused('enable', 'switch.bpf', 'forward')).toContain('both data planes run side by side');
  expect(whenPaused('enable', 'switch.bpf.helm', 'forward')).toContain('both data planes run side by side');
});

test('what touches traffic never says that traffic is as before, and each says something', () => {
  const texts = definitions.map(({ id, effect, whenPaused: text }) => ({ id, effect, text }));
  expect(texts.filter(({ effect, text }) => effect === 'traffic' && text.includes('Traffic is as before.'))).toEqual(
    [],
  );
  expect(texts.filter(({ text }) => !text.endsWith('.'))).toEqual([]);
});

test.each(goals)('to %s, operations of one id say the same: a journal knows them by goal and id alone', (goal) => {
  const texts = Map.groupBy(operationsTo(goal), ({ id }) => id);
  const several = [...texts].filter(([, all]) => new Set(all.map(({ whenPaused: text }) => text)).size > 1);
  expect(several.map(([id]) => id)).toEqual([]);
});

test.each([
  ['install', 'crds', 'forward', /not used yet/],
  ['upgrade', 'crds', 'forward', /the release that runs works with either/],
  ['install', 'operator.apply', 'forward', /before it runs/],
  ['upgrade', 'operator.apply', 'forward', /as soon as the new one runs, it updates the nodes/],
  ['install', 'crds', 'undo', /what the installation made is being removed/],
  ['install', 'custom-resources', 'undo', /what the installation made is being removed/],
  ['install', 'proxy.disable.daemonset', 'undo', /the service proxy returns/],
  ['enable', 'switch.bpf', 'undo', /the service proxy returns/],
  ['upgrade', 'operator.apply', 'undo', /nodes of both releases/],
  ['upgrade', 'owner-refs.remove', 'undo', /nodes of both releases/],
  [
    'upgrade',
    'owner-refs.restore',
    'forward',
    /^The new release runs.* apply the new release’s apiserver\.yaml, then continue/,
  ],
  ['restore', 'proxy.restore', 'forward', /^(?!This version does not know)/],
] as const)('%s, %s, %s', (goal, id, direction, sentence) => {
  expect(whenPaused(goal, id, direction)).toMatch(sentence);
});

test('a step of another version is not said to be harmless', () => {
  expect(whenPaused('enable', 'from.tomorrow', 'forward')).toBe(
    'This version does not know this step; it may be half-done.',
  );
});
