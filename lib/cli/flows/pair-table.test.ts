import { expect, test } from 'vitest';
import { pairRows, pairTable } from './pair-table.ts';

const cells = { from: 1, to: 2, words: [3, 5] };
const rows = [
  ['AT', 'FROM', 'TO', 'BY', 'CONNS'],
  ['src', 'shop/a-pod-of-a-long-name', 'shop/another-pod', 'profile kns.shop', '4'],
];

test('a pair that has no room for a column each is the last text of its row', () => {
  const shown = (columns: number) => pairTable(rows, cells, { isTerminal: true, columns }).split('\n');
  expect(shown(80)).toEqual([
    'AT   FROM                       TO                BY                CONNS',
    'src  shop/a-pod-of-a-long-name  shop/another-pod  profile kns.shop  4',
  ]);
  expect(shown(70)).toEqual([
    'AT   CONNS  FROM → TO, BY',
    'src  4      shop/a-pod-of-a-long-name → shop/another-pod, profile',
    '            kns.shop',
  ]);
});

test('in a pipe a row is one line, whatever its length', () => {
  expect(pairTable(rows, cells, { isTerminal: false, columns: 40 }).split('\n')).toHaveLength(2);
});

test('rows that come one after the other stand below their headings, and are as wide as the terminal at most', () => {
  const widths = [3, 30, 30, 20, 5, 5];
  const row = pairRows(widths, cells, { isTerminal: true, columns: 60 });
  expect(rows.map((one) => row(one)).join('\n')).toBe(
    [
      'AT   CONNS  FROM → TO, BY',
      'src  4      shop/a-pod-of-a-long-name → shop/another-pod,',
      '            profile kns.shop',
    ].join('\n'),
  );
  expect(row(['src', 'a', 'b', 'c', '4', 'again'])).toBe('src  4      a → b, c, again');
  const wide = pairRows(widths, cells, { isTerminal: false, columns: 60 });
  expect(wide(['src', 'a', 'b', 'c', '4', 'again'])).toMatch(/^src {2}a {31}b {31}c {21}4 {6}again$/);
});
