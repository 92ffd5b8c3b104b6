import { expect, inject, test } from 'vitest';
import { budgetBytes, frameworkScripts, gzippedBytes, pagesOf } from './testing/page-scripts.ts';

const build = inject('consoleBuild');
const pages = pagesOf(build);

test('there are pages to weigh', () => {
  expect(pages.map(({ route }) => route)).toContain('/clusters/[cluster]/runs/[run]/[step]');
  expect(frameworkScripts(build).size).toBeGreaterThan(2);
});

test.each(pages)('$route brings at most 140 KiB of JavaScript beyond the framework', ({ scripts }) => {
  expect(scripts.length).toBeGreaterThan(0);
  expect(gzippedBytes(build, scripts)).toBeLessThanOrEqual(budgetBytes);
});
