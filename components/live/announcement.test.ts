import { expect, test } from 'vitest';
import { type Announcement, announcement, everyMs } from './announcement.ts';

/** What a screen reader says while a sentence changes: [when in ms, sentence]. */
function transcript(changes: [number, string][]): [number, string][] {
  const announced: [number, string][] = [];
  let last: Announcement = { text: '', at: Number.NEGATIVE_INFINITY };
  let text = '';
  let due: number | null = null;
  for (let now = 0; now <= 30_000; now += 100) {
    const change = changes.find(([at]) => at === now);
    if (change) text = change[1];
    if (!change && due !== now) continue;
    const { say, againInMs } = announcement(last, text, now);
    if (say) {
      last = say;
      announced.push([now, say.text]);
    }
    due = againInMs === null ? null : now + againInMs;
  }
  return announced;
}

test('the first sentence at once, then the newest at most every 5 s', () => {
  expect(
    transcript([
      [0, 'Next: switch.'],
      [1_000, 'Waiting for w-1.'],
      [2_000, 'Waiting for w-2.'],
      [9_000, 'Done.'],
    ]),
  ).toEqual([
    [0, 'Next: switch.'],
    [everyMs, 'Waiting for w-2.'],
    [2 * everyMs, 'Done.'],
  ]);
});

test('that time passes is no news', () => {
  const ticking = Array.from({ length: 20 }, (_, second): [number, string] => [
    second * 1_000,
    `Waiting for w-8, for ${second} s now; the others took 20 s to 31 s.`,
  ]);
  expect(transcript(ticking)).toHaveLength(1);
});

test('numbers that are not times are', () => {
  expect(
    transcript([
      [0, '7 of 12 nodes on eBPF.'],
      [6_000, '8 of 12 nodes on eBPF.'],
    ]),
  ).toHaveLength(2);
});
