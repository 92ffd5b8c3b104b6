import { expect, test } from 'vitest';
import { exactScalar, scalarText } from './exact-scalar.ts';

test.each<[string, unknown]>([
  ['Warning', 'Warning'],
  ['1430', 1430],
  ['1.10', '1.10'],
  ['true', true],
  ['"true"', 'true'],
  ['{"cpu":"100m"}', { cpu: '100m' }],
  ['{cpu', '{cpu'],
  ['', ''],
])('%s is read as %j', (text, value) => {
  expect(exactScalar(text)).toEqual(value);
});

test.each([['Warning'], ['1430'], ['1.10'], ['"quoted"'], [''], [1430], [true], [null], [['a', 1]], [{ cpu: '100m' }]])(
  '%j is typed so that it is read as the same',
  (value) => {
    expect(exactScalar(scalarText(value))).toEqual(value);
  },
);
