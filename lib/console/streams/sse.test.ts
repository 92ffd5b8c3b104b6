import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible } from '#lib/text/index.ts';
import { rawCharacters } from '#lib/text/testing/canaries.ts';
import { encodeEvent, parseEventId } from './sse.ts';

test('whatever a cluster says, an event is its three lines and an empty one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), (message, id) => {
      const text = encodeEvent({ event: 'log', data: { message } }, id);
      const lines = text.split(/\r\n|\n|\r/);
      expect(lines).toHaveLength(5);
      expect(lines.slice(0, 2)).toEqual(['event: log', `id: ${id}`]);
      expect(JSON.parse(lines[2]?.replace('data: ', '') ?? '')).toEqual({
        event: 'log',
        data: { message: visible(message) },
      });
      expect(rawCharacters(text)).toEqual([]);
    }),
  );
});

test('without an id there is no line for it: the client keeps the last one', () => {
  expect(encodeEvent({ event: 'heartbeat', data: {} }, null)).not.toContain('id:');
});

test.each([
  ['1795254932706001', 1795254932706001],
  ['0', 0],
  ['', null],
  ['-1', null],
  ['1e9', null],
  ['12345678901234567890', null],
  [null, null],
])('Last-Event-ID %o is %o', (text, id) => {
  expect(parseEventId(text)).toBe(id);
});
