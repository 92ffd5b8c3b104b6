import { expect, test } from 'vitest';
import { sameCause } from '#lib/checks/index.ts';
import { tellsAll } from './subject-table.tsx';

const node = (name: string, detail: string) => ({ kind: 'Node', namespace: null, name, detail });

test('the same cause on many nodes is one line, and each other has its own', () => {
  const causes = sameCause([node('a', '4.15.0'), node('b', 'arm/v7'), node('c', '4.15.0')]);
  expect(causes.map((cause) => cause.map(({ name }) => name))).toEqual([['a', 'c'], ['b']]);
});

test.each([
  ['2 of 9 nodes cannot run eBPF: a (4.15.0) and b (4.4.0).', true],
  ['2 of 9 nodes cannot run eBPF: a (4.15.0) and 1 more.', false],
  ['2 of 9 nodes cannot run eBPF: a and b.', false],
])('%s: names each with its cause, %s', (because, expected) => {
  expect(tellsAll(because, [node('a', '4.15.0'), node('b', '4.4.0')])).toBe(expected);
});
