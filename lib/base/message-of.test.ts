import { expect, test } from 'vitest';
import { messageOf } from './message-of.ts';

test.each<[string, unknown, string]>([
  ['an error', new Error('no route'), 'no route'],
  ['a text', 'no route', 'no route'],
  ['an object', { code: 1 }, '[object Object]'],
  ['nothing', undefined, 'undefined'],
])('%s', (_what, error, says) => {
  expect(messageOf(error)).toBe(says);
});
