import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { queryText } from './query-text.ts';
import { atWindow, isPast, windowOf } from './window.ts';

const now = Date.parse('2026-11-23T10:00:00Z') / 1000;

test.each([
  ['', false, null],
  ['verdict:denied', false, null],
  ['since:5m', false, [300, 0]],
  ['since:15m', false, [900, 0]],
  ['since:16m', true, [960, 0]],
  ['since:2h until:1h', true, [7200, 3600]],
  // Only the end: the quarter of an hour before it.
  ['until:1h', true, [4500, 3600]],
  ['since:2026-11-23T09:58:00Z', true, [120, 0]],
  // It begins after its end.
  ['since:1h until:2h', true, [7201, 7200]],
])('%s: past %s, from and to %j s ago', (text, past, ago) => {
  const { query } = parseQuery(text);
  expect(isPast(query)).toBe(past);
  const window = windowOf(query, now);
  expect(window && [now - window.since, now - window.until]).toEqual(ago);
});

test('a window is written as times of the one grammar, and taken out again', () => {
  const { query } = parseQuery('to:kube-dns since:5m');
  const at = atWindow(query, { since: now - 90.5, until: now - 30 });
  expect(queryText(at)).toBe('to:kube-dns since:2026-11-23T09:58:29Z until:2026-11-23T09:59:30Z');
  expect(queryText(atWindow(at, null))).toBe('to:kube-dns');
});
