import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sseParser } from './sse-parser.ts';

const all = (...chunks: string[]) => {
  const parse = sseParser();
  return chunks.flatMap((chunk) => parse(chunk));
};

test.each([
  ['one event', 'event: node\nid: 7\ndata: {}\n\n', [{ event: 'node', id: '7', data: '{}' }]],
  ['without a name', 'data: x\n\n', [{ event: 'message', id: null, data: 'x' }]],
  ['lines of data are joined', 'data: a\ndata:b\ndata\n\n', [{ event: 'message', id: null, data: 'a\nb\n' }]],
  ['comments and retry are not events', ': hello\nretry: 2000\n\n', []],
  ['one space is taken off, not two', 'data:  x\n\n', [{ event: 'message', id: null, data: ' x' }]],
  ['an event that has not ended is none', 'data: x\n', []],
  [
    'an id is its own event’s',
    'id: 1\ndata: a\n\ndata: b\n\n',
    [
      { event: 'message', id: '1', data: 'a' },
      { event: 'message', id: null, data: 'b' },
    ],
  ],
  ['a byte order mark at the start', '\uFEFFdata: x\n\n', [{ event: 'message', id: null, data: 'x' }]],
])('%s', (_, text, events) => {
  expect(all(text)).toEqual(events);
});

const line = fc.string({ maxLength: 6, unit: fc.constantFrom('a', ':', ' ', '"', 'ü', '😀') });
const event = fc.record({
  event: fc.constantFrom('node', 'snapshot'),
  id: fc.option(fc.nat().map(String)),
  data: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
});

test('wherever the text is cut, and however its lines end, the same events come out', () => {
  const ends = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 5 }),
      ends,
      fc.array(fc.nat(200), { maxLength: 20 }),
      (events, end, cuts) => {
        const text = events
          .map(({ event: name, id, data }) =>
            [
              `event: ${name}`,
              ...(id === null ? [] : [`id: ${id}`]),
              ...data.split('\n').map((one) => `data: ${one}`),
              '',
              '',
            ].join(end),
          )
          .join('');
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
        // A CR may be the first half of a CRLF: the event is complete with whatever comes next.
        expect(all(...chunks, end === '\r' ? ':\r' : '')).toEqual(events);
      },
    ),
  );
});

test('a long line costs what its length costs, in however many pieces it comes', () => {
  const parse = sseParser();
  const piece = 'x'.repeat(4_096);
  const pieces = 2_000;
  const before = process.cpuUsage();
  parse('data: ');
  for (let count = 0; count < pieces; count++) parse(piece);
  const [event] = parse('\n\n');
  const { user, system } = process.cpuUsage(before);
  expect(event?.data.length).toBe(pieces * piece.length);
  // To look at all of it with each piece takes many times that.
  expect((user + system) / 1000).toBeLessThan(1_000);
});
