import { expect, test } from 'vitest';
import { oncePerUnchanging, unchanging } from './unchanging.ts';

const aList = () => ({ all: [{ id: 'a', parts: ['x'] }] });

test('nothing in it can be written, also where a part of it was frozen before', () => {
  const data = unchanging({ ...aList(), known: Object.freeze({ parts: ['x'] }) });
  expect(() => data.all[0]?.parts.push('y')).toThrow(TypeError);
  expect(() => data.known.parts.push('y')).toThrow(TypeError);
  expect(() => Object.assign(data, { all: [] })).toThrow(TypeError);
});

test('of what cannot change a thing is computed once; of what can, also where only its outermost part is frozen, each time', () => {
  let calls = 0;
  const count = oncePerUnchanging(({ all }: ReturnType<typeof aList>) => {
    calls += 1;
    return all.length;
  });
  const fixed = unchanging(aList());
  expect([count(fixed), count(fixed), calls]).toEqual([1, 1, 1]);
  for (const data of [aList(), Object.freeze(aList())]) {
    expect(count(data)).toBe(1);
    data.all.push(...aList().all);
    expect(count(data)).toBe(2);
  }
});
