import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';

/** Most bytes of a page's scripts beyond React and Next, gzipped (design: ui › Budgets). */
export const budgetBytes = 140 * 1024;

/** `scripts`: paths in the build of the page's scripts beyond the framework. */
export type PageScripts = { readonly route: string; readonly scripts: readonly string[] };

const buildManifest = z.object({ rootMainFiles: z.array(z.string()) });

/** Paths of React's and Next's scripts, which every page of a build loads. */
export function frameworkScripts(build: string): ReadonlySet<string> {
  return new Set(
    buildManifest.parse(JSON.parse(readFileSync(join(build, 'build-manifest.json'), 'utf8'))).rootMainFiles,
  );
}

/** All pages of a build, each with the chunks of its and its layouts' client components. */
export function pagesOf(build: string): PageScripts[] {
  const framework = frameworkScripts(build);
  return readdirSync(join(build, 'server/app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('page_client-reference-manifest.js') && !file.startsWith('_'))
    .map((file) => ({
      route: `/${file.split('/').slice(0, -1).join('/')}`,
      scripts: chunksOf(join(build, 'server/app', file)).filter((chunk) => !framework.has(chunk)),
    }));
}

/** The chunks in a manifest. Their names contain a hash, so that each is counted once. */
function chunksOf(file: string): string[] {
  const world: { __RSC_MANIFEST?: Record<string, { clientModules: Record<string, { chunks: string[] }> }> } = {};
  runInNewContext(readFileSync(file, 'utf8'), { globalThis: world });
  const modules = Object.values(world.__RSC_MANIFEST ?? {}).flatMap((page) => Object.values(page.clientModules));
  const chunks = modules.flatMap((module) => module.chunks.map((chunk) => chunk.replace(/^\/?_next\//, '')));
  return [...new Set(chunks)].filter((chunk) => chunk.endsWith('.js'));
}

/** Sum of the files, gzipped one by one as they are sent. */
export function gzippedBytes(build: string, scripts: Iterable<string>): number {
  let bytes = 0;
  for (const script of scripts) bytes += gzipSync(readFileSync(join(build, script))).length;
  return bytes;
}
