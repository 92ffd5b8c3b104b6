import { expect, test } from 'vitest';
import {
  byCause,
  type FindingFilter,
  type FindingKind,
  filterOf,
  findingOfHash,
  hashOf,
  matchingRows,
  queryOf,
  shownUnasked,
} from './finding-filter.ts';

const groups = ['Nodes', 'API endpoint'];
const all: FindingFilter = { kind: null, group: null, text: '' };

test.each<[string, FindingFilter]>([
  ['', all],
  ['?state=blocking', { ...all, kind: 'blocking' }],
  ['?group=API+endpoint&q=w-9', { ...all, group: 'API endpoint', text: 'w-9' }],
  ['?state=nonsense&group=None&q=', all],
])('the address %s asks for what it says, and for everything by what is not known', (query, filter) => {
  expect(filterOf(new URLSearchParams(query), groups)).toEqual(filter);
});

test('a filter stands in the address beside what was there, and goes without a trace', () => {
  const query = queryOf({ kind: 'unknown', group: 'Nodes', text: ' kernel ' }, 'from=ready&state=pass');
  expect(query).toBe('?from=ready&state=unknown&group=Nodes&q=+kernel+');
  expect(queryOf(all, query)).toBe('?from=ready');
  expect(queryOf(all, '?state=pass')).toBe('');
});

const row = (id: string, kind: FindingKind, group: string, ...words: string[]) => ({ id, kind, group, words });
const rows = [
  row('kernel', 'blocking', 'Nodes', 'Kernels are too old', 'worker-9 4.15.0'),
  row('stable', 'decide', 'API endpoint', 'One machine holds the address', 'master-1'),
  row('ready', 'pass', 'Nodes', 'Nodes are Ready', 'worker-9'),
];

test.each<[Partial<FindingFilter>, string[]]>([
  [{}, ['kernel', 'stable', 'ready']],
  [{ text: 'WORKER-9' }, ['kernel', 'ready']],
  [{ text: 'old worker' }, ['kernel']],
  [{ group: 'API endpoint' }, ['stable']],
  [{ group: 'API endpoint', text: 'worker' }, []],
])('%o finds %j: every word, somewhere in a line', (filter, ids) => {
  expect(matchingRows(rows, { ...all, ...filter }).map(({ id }) => id)).toEqual(ids);
});

test.each([
  [hashOf('node.ready'), 'node.ready'],
  ['#finding-node%2Eready', 'node.ready'],
  ['#finding-%E0%A4', null],
  ['#%E0%A4', null],
  ['#step-3', null],
  ['', null],
])('the hash %j opens the line of %j', (hash, id) => {
  expect(findingOfHash(hash)).toBe(id);
});

test('what passes is told by number, but for the one that the address names', () => {
  expect(shownUnasked(rows, null).map(({ id }) => id)).toEqual(['kernel', 'stable']);
  expect(shownUnasked(rows, 'ready').map(({ id }) => id)).toEqual(['kernel', 'stable', 'ready']);
});

test('lines that are open for one reason are one line, where the first of them stood', () => {
  const lines = [
    { id: 'a', cause: null },
    { id: 'b', cause: 'not read' },
    { id: 'c', cause: 'alone' },
    { id: 'd', cause: 'not read' },
    { id: 'e', cause: null },
  ];
  const [a, b, c, d, e] = lines;
  expect(byCause(lines)).toEqual([a, { cause: 'not read', rows: [b, d] }, c, e]);
});
