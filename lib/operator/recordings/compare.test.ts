import { expect, test } from 'vitest';
import { differences } from './compare.ts';
import type { Row, Step } from './row.ts';

const steps = (...rows: Row[]): Step[] => [{ mark: 'm', at: 0, rows }];
const recorded = steps([0.1, 'A', 'x', '1'], [3, 'B', 'y', '2'], [3.2, 'A', 'x', '3']);

test('the same story at another pace is the same', () => {
  expect(differences(recorded, steps([1, 'A', 'x', '1'], [4, 'A', 'x', '3'], [4, 'B', 'y', '2']))).toEqual([]);
});

test.each<[string, Step[], RegExp]>([
  ['another value', steps([0, 'A', 'x', '1'], [3, 'B', 'y', 'no'], [3, 'A', 'x', '3']), /B y is no, recorded: 2/],
  ['a missing state', steps([0, 'A', 'x', '1'], [3, 'B', 'y', '2']), /A x is 1, recorded: 1 → 3/],
  [
    'one too many',
    steps([0, 'A', 'x', '1'], [3, 'B', 'y', '2'], [3, 'A', 'x', '3'], [4, 'C', 'z', '!']),
    /C z is !, recorded: unchanged/,
  ],
  ['another order', steps([2, 'A', 'x', '1'], [1, 'B', 'y', '2'], [3, 'A', 'x', '3']), /B y = 2 comes before A x = 1/],
  ['far too late', steps([0, 'A', 'x', '1'], [20, 'B', 'y', '2'], [21, 'A', 'x', '3']), /takes 20 s/],
  ['nothing at all', [], /unchanged, recorded/],
])('%s is told', (_, replayed, words) => {
  expect(differences(recorded, replayed).join('\n')).toMatch(words);
});

test('an exception excuses one field after one mark', () => {
  const other = steps([0, 'A', 'x', '1'], [3, 'B', 'y', 'no'], [3, 'A', 'x', '3']);
  expect(differences(recorded, other, [{ mark: 'm', object: 'B', field: 'y', because: 'x' }])).toEqual([]);
  expect(differences(recorded, other, [{ mark: 'else', object: 'B', field: 'y', because: 'x' }])).not.toEqual([]);
});
