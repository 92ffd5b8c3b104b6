import { expect, test } from 'vitest';
import { quieted } from './quieted.ts';

test('so many lines a minute, and how many there would have been', () => {
  let now = 0;
  const lines: string[] = [];
  const log = quieted(
    (line) => lines.push(line),
    2,
    () => now,
  );
  for (const line of ['a', 'b', 'c', 'd']) log(line);
  now += 60_000;
  log('e');
  now += 60_000;
  log('f');
  expect(lines).toEqual(['a', 'b', '2 more of this kind in the minute before', 'e', 'f']);
});
