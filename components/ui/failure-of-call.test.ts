import { expect, test } from 'vitest';
import { consoleGone } from './console-gone.ts';
import { failureOfCall } from './failure-of-call.ts';

test('what the door refused is told as it was said', () => {
  const refusal = { ok: false, code: 'session.missing', message: 'Your session has ended.' };
  expect(failureOfCall(new Error(JSON.stringify(refusal)), consoleGone)).toEqual(refusal);
});

test.each([
  [new TypeError('Failed to fetch')],
  [new Error('{"code":1}')],
  [new Error('null')],
  ['session.missing'],
  [null],
])('%s: nobody answered', (error) => {
  expect(failureOfCall(error, consoleGone)).toBe(consoleGone);
});
