import { expect, test } from 'vitest';
import type { Flags } from '../flags.ts';
import { queryOf, timeProblem } from './flow-query.ts';

const noFlags = { list: () => [], text: () => undefined } as unknown as Flags;
const now = 1_800_000_000;

test.each([
  ['', null],
  ['until:20m', null],
  ['since:30m until:20m', null],
  ['since:20m until:20m', 'since must be before until'],
  ['since:10m until:20m', 'since must be before until'],
  ['since:10m until:2027-01-15T07:00:00Z', 'until: Calico keeps an hour of flows, and nothing from before then'],
  ['until:1h', 'until: Calico keeps an hour of flows, and nothing from before then'],
])('%s: %s', (text, expected) => {
  const query = queryOf(noFlags, text === '' ? [] : text.split(' '), 900);
  expect(timeProblem(query, now)).toBe(expected);
});

test('who says only until when is told all from the oldest on', () => {
  expect(queryOf(noFlags, ['until:20m'], 900)).toMatchObject({ since: null, until: { ago: 1200 } });
  expect(queryOf(noFlags, [], 900)).toMatchObject({ since: { ago: 900 }, until: null });
});
