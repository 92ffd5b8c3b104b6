import { expect, test } from 'vitest';
import { readLog } from './read-log.ts';

const at = (seconds: number) => Date.UTC(2026, 0, 1, 0, 0, seconds);
const lines = [
  { at: at(1), line: 'one' },
  { at: at(2), line: 'two' },
  { at: at(3), line: 'drei ⚑' },
];

test.each([
  [{}, 'one\ntwo\ndrei ⚑\n'],
  [{ sinceTime: '2026-01-01T00:00:02Z' }, 'two\ndrei ⚑\n'],
  [{ sinceTime: '2026-01-01T00:00:09Z' }, ''],
  [{ tailLines: 1 }, 'drei ⚑\n'],
  [{ tailLines: 0 }, ''],
  [{ limitBytes: 5 }, 'one\nt'],
  [{ tailLines: 2, limitBytes: 3 }, 'two'],
  [{ tailLines: 1, timestamps: true }, '2026-01-01T00:00:03.000000000Z drei ⚑\n'],
])('%o', (options, expected) => {
  expect(readLog(lines, { container: 'calico-node', ...options })).toBe(expected);
});
