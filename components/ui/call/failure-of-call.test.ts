import { afterEach, expect, test, vi } from 'vitest';
import { tellAway, tellReading } from '#components/live/away.ts';
import { consoleUnreachable } from './console-unreachable.ts';
import { failureOfCall, notSent } from './failure-of-call.ts';
import { unreachableAsFailure } from './unreachable-as-failure.ts';

afterEach(() => tellAway({ waiting: 0, opening: 0 }));

test('what the door refused is told as it was said', () => {
  const refusal = { ok: false, code: 'session.missing', message: 'Your session has ended.' };
  expect(failureOfCall(new Error(JSON.stringify(refusal)), consoleUnreachable)).toEqual(refusal);
});

test.each([
  [new TypeError('Failed to fetch')],
  [new Error('{"code":1}')],
  [new Error('null')],
  ['session.missing'],
  [null],
])('%s: nobody answered', (error) => {
  expect(failureOfCall(error, consoleUnreachable)).toBe(consoleUnreachable);
});

test('while a page waits for the console an action is refused at once and not called; when it is back it is', async () => {
  let called = 0;
  const action = unreachableAsFailure(async () => {
    called++;
    return { ok: true, value: null };
  });
  tellAway({ waiting: 1, opening: 0 });
  expect(await action(null, new FormData())).toEqual(notSent);
  expect(called).toBe(0);
  tellAway({ waiting: 0, opening: 0 });
  expect(await action(null, new FormData())).toEqual({ ok: true, value: null });
  expect(called).toBe(1);
});

/** What an action answered that was pressed while a page was on its way, and whether it was sent. */
async function pressedWhileReading(comesAfterMs: number, settle: 'comes' | 'fails') {
  vi.useFakeTimers({ now: 0 });
  let sentAt: number | null = null;
  const action = unreachableAsFailure(async () => {
    sentAt = Date.now();
    return { ok: true, value: null };
  });
  tellReading(
    new Promise((come, fail) =>
      setTimeout(settle === 'comes' ? come : () => fail(new TypeError('gone')), comesAfterMs),
    ),
  );
  const answered = action(null, new FormData());
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  return { answer: await answered, sentAt };
}

test('an action that is pressed while a page is on its way is sent when that has come', async () => {
  expect(await pressedWhileReading(2_000, 'comes')).toEqual({ answer: { ok: true, value: null }, sentAt: 2_000 });
  expect(await pressedWhileReading(2_000, 'fails')).toEqual({ answer: { ok: true, value: null }, sentAt: 2_000 });
});

test('one that is pressed while a page hangs is refused after ten seconds, and never sent later', async () => {
  expect(await pressedWhileReading(30_000, 'comes')).toEqual({ answer: notSent, sentAt: null });
});
