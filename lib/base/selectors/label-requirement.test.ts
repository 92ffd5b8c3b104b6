import { expect, test } from 'vitest';
import { meetsRequirement } from './label-requirement.ts';

test.each<[operator: string, value: string | undefined, met: boolean | null]>([
  ['In', 'a', true],
  ['In', 'c', false],
  ['In', undefined, false],
  ['NotIn', 'a', false],
  ['NotIn', 'c', true],
  ['NotIn', undefined, true],
  ['Exists', '', true],
  ['Exists', undefined, false],
  ['DoesNotExist', undefined, true],
  ['DoesNotExist', '', false],
  ['Gt', '5', null],
])('%s [a, b] of %j: %j', (operator, value, met) => {
  expect(meetsRequirement({ operator, values: ['a', 'b'] }, value)).toBe(met);
});
