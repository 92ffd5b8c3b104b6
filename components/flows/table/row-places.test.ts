import { expect, test } from 'vitest';
import { drawnRows, indexOfFlow, rowAt, withSpaces } from './row-places.ts';

test.each([
  [-1, ['flow 0', 'flow 1', 'flow 2', 'flow 3']],
  [0, ['flow 0', 'body 0', 'flow 1', 'flow 2']],
  [2, ['flow 0', 'flow 1', 'flow 2', 'body 2']],
])('with the flow at %i open, rows are %j', (opened, rows) => {
  const all = [0, 1, 2, 3].map((index) => rowAt(index, opened));
  expect(all.map(({ is, place }) => `${is} ${place}`)).toEqual(rows);
  for (const [index, { is, place }] of all.entries()) if (is === 'flow') expect(indexOfFlow(place, opened)).toBe(index);
});

test('what has the focus or is open is drawn wherever the table is scrolled, once, and in its place', () => {
  expect(drawnRows([10, 11, 12], [2, 11, 40], 30)).toEqual([2, 10, 11, 12]);
  expect(drawnRows([10], [-1], 30)).toEqual([10]);
  expect(drawnRows([], [], 0)).toEqual([]);
});

test('rows that are not drawn leave their room, above, between and below', () => {
  const row = (index: number) => ({ start: index * 10, end: index * 10 + 10 });
  const { rows, below } = withSpaces([row(2), row(5), row(6)], 100);
  expect(rows.map(({ above }) => above)).toEqual([20, 20, 0]);
  expect(below).toBe(30);
  expect(withSpaces([], 0)).toEqual({ rows: [], below: 0 });
});
