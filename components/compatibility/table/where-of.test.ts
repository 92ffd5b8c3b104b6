import { expect, test } from 'vitest';
import type { Subject } from '#lib/facts/index.ts';
import { whereOf } from './where-of.ts';

const subject = (kind: string, more: Partial<Subject> = {}): Subject => ({
  kind,
  namespace: null,
  name: 'x',
  detail: '',
  ...more,
});

test.each<[string, Subject[]]>([
  ['', []],
  ['2 nodes', [subject('Node'), subject('Node')]],
  ['1 Deployment', [subject('Deployment')]],
  ['2 objects', [subject('Node'), subject('Service')]],
  ['', [subject('Deployment', { missing: true })]],
])('the column of a finding shows %j', (words, subjects) => {
  expect(whereOf(subjects)).toBe(words);
});
