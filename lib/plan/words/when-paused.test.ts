import { expect, test } from 'vitest';
import { journeysTo } from '../journeys.ts';
import { whenPaused } from './when-paused.ts';

const definitions = [
  ...new Set([...journeysTo('install'), ...journeysTo('enable')].flatMap(({ operations }) => operations)),
];

test('both ways to switch say that both data planes live side by side', () => {
  expect(whenPaused('switch.bpf', 'forward')).toContain('both data planes live side by side');
  expect(whenPaused('switch.bpf.helm', 'forward')).toContain('both data planes live side by side');
});

test('what touches traffic never says that traffic is as before, and each says something', () => {
  const said = definitions.map(({ id, effect, whenPaused: text }) => ({ id, effect, text }));
  expect(said.filter(({ effect, text }) => effect === 'traffic' && text.includes('Traffic is as before.'))).toEqual([]);
  expect(said.filter(({ text }) => !text.endsWith('.'))).toEqual([]);
});

test('operations of one id say the same: a journal knows them by their id alone', () => {
  const texts = Map.groupBy(definitions, ({ id }) => id);
  const several = [...texts].filter(([, all]) => new Set(all.map(({ whenPaused: text }) => text)).size > 1);
  expect(several.map(([id]) => id)).toEqual([]);
});

test('a step of another version is not said to be harmless', () => {
  expect(whenPaused('from.tomorrow', 'forward')).toBe('This version does not know this step; it may be half-done.');
});
