import { afterEach, expect, test } from 'vitest';
import { tellAway } from '#components/live/away.ts';
import { consoleGone } from './console-gone.ts';
import { failureOfCall } from './failure-of-call.ts';
import { orGone } from './or-gone.ts';

afterEach(() => tellAway({ waiting: 0, opening: 0 }));

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

test('while a page waits for the console an action is refused at once and not called; when it is back it is', async () => {
  let called = 0;
  const action = orGone(async () => {
    called++;
    return { ok: true, value: null };
  });
  tellAway({ waiting: 1, opening: 0 });
  expect(await action(null, new FormData())).toBe(consoleGone);
  expect(called).toBe(0);
  tellAway({ waiting: 0, opening: 0 });
  expect(await action(null, new FormData())).toEqual({ ok: true, value: null });
  expect(called).toBe(1);
});
