import { expect, test } from 'vitest';
import { fields, recordOrNull, text, textOrNull } from './lenient.ts';

const named = fields({ name: text, constructor: recordOrNull, toString: textOrNull });

test('what every object inherits is not read as a field of it', () => {
  expect(named.parse({ name: 'one' })).toEqual({ name: 'one', constructor: null, toString: null });
  const own = { name: 'one', constructor: { a: 1 }, toString: 'text' };
  expect(named.parse(JSON.parse(JSON.stringify(own)))).toEqual(own);
});

test('two objects share nothing', () => {
  const one = named.parse({ name: 'one' });
  expect(named.parse(null)).toEqual({ name: '', constructor: null, toString: null });
  expect(one.name).toBe('one');
});
