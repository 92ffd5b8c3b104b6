import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';

/** What a page may bring beyond React and Next, gzipped (design: ui › Budgets). */
const budgetBytes = 170 * 1024;
/** Chunks are named by their contents, so that each is counted once. */
const build = inject('consoleBuild');

const framework = new Set<string>(readJson('build-manifest.json').rootMainFiles);
const pages = readdirSync(join(build, 'server/app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('page_client-reference-manifest.js') && !file.startsWith('_'))
  .map((file) => ({ route: `/${file.split('/').slice(0, -1).join('/')}`, file: join(build, 'server/app', file) }));

test('there are pages to weigh', () => {
  expect(pages.map(({ route }) => route)).toContain('/clusters/[cluster]/runs/[run]/[step]');
  expect(framework.size).toBeGreaterThan(2);
});

test.each(pages)('$route brings at most 170 KiB of JavaScript beyond the framework', ({ file }) => {
  const chunks = chunksOf(file);
  expect(chunks.length).toBeGreaterThan(0);
  const sizes = chunks.map((chunk) => gzipSync(readFileSync(join(build, chunk))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(budgetBytes);
});

/** Every chunk that some client component of the route, or of a layout around it, asks for. */
function chunksOf(file: string): string[] {
  const world: { __RSC_MANIFEST?: Record<string, { clientModules: Record<string, { chunks: string[] }> }> } = {};
  runInNewContext(readFileSync(file, 'utf8'), { globalThis: world });
  const modules = Object.values(world.__RSC_MANIFEST ?? {}).flatMap((page) => Object.values(page.clientModules));
  const chunks = modules.flatMap((module) => module.chunks.map((chunk) => chunk.replace(/^\/?_next\//, '')));
  return [...new Set(chunks)].filter((chunk) => chunk.endsWith('.js') && !framework.has(chunk));
}

function readJson(name: string): { rootMainFiles: string[] } {
  return JSON.parse(readFileSync(join(build, name), 'utf8')) as { rootMainFiles: string[] };
}
