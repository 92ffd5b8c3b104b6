import { expect, test } from 'vitest';
import { KeptAnswers } from './kept-answers.ts';

/** Reads pages of two from an answer that differs each time it is computed. */
function pages() {
  const time = { now: 0 };
  const kept = new KeptAnswers<number>(() => time.now);
  let computed = 0;
  const ask = (request: string, page: number) => {
    const compute = () => {
      computed++;
      return [computed, computed, computed];
    };
    return kept.answer(request, page, compute, (answer) => (page + 1) * 2 >= answer.length)[0];
  };
  return { time, ask };
}

test('the pages of one request are of one answer, and the next reading is of another', () => {
  const { ask } = pages();
  expect([ask('a', 0), ask('b', 0), ask('a', 1), ask('b', 1)]).toEqual([1, 2, 1, 2]);
  expect([ask('a', 1), ask('a', 0), ask('a', 0), ask('a', 1)]).toEqual([3, 4, 5, 5]);
});

test('who pauses too long, or is one of too many, gets an answer that is computed anew', () => {
  const { time, ask } = pages();
  expect(ask('a', 0)).toBe(1);
  time.now = 30_001;
  expect(ask('a', 1)).toBe(2);
  for (let request = 0; request < 9; request++) ask(`${request}`, 0);
  expect([ask('0', 1), ask('8', 1)]).toEqual([12, 11]);
});
