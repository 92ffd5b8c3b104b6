import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Places } from './places.ts';

test('whoever comes when all are taken has the place of the oldest', () => {
  const places = new Places(2);
  const all = Array.from({ length: 4 }, () => new Socket());
  for (const socket of all) places.take(socket);
  expect(all.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
});

test('who has left or has ended takes none', async () => {
  const places = new Places(1);
  const [left, ended, last] = [new Socket(), new Socket(), new Socket()];
  places.take(left);
  places.leave(left);
  ended.destroy();
  places.take(ended);
  places.take(last);
  expect([left.destroyed, last.destroyed]).toEqual([false, false]);
});
