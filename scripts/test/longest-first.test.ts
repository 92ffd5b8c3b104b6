import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../setup/root.mjs';
import { longest, rankOf } from './longest-first.mjs';

test('what takes minutes begins first, however short its file is', () => {
  const paths = ['e2e/cluster/facts.test.ts', 'e2e/cluster/install-others.test.ts', 'e2e/cluster/killed.test.ts'];
  expect(paths.sort((a, b) => rankOf(a) - rankOf(b))).toEqual([
    'e2e/cluster/killed.test.ts',
    'e2e/cluster/install-others.test.ts',
    'e2e/cluster/facts.test.ts',
  ]);
});

test('each part names files that are there', () => {
  const files = globSync(['e2e/**/*.test.ts', 'lib/**/*.test.ts'], { cwd: root });
  expect(longest.filter((part) => !files.some((file) => file.includes(part)))).toEqual([]);
});
