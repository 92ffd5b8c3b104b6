import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({
  node: z.record(
    z.string(),
    z.object({ filename: z.string(), exportedName: z.string(), workers: z.record(z.string(), z.unknown()) }),
  ),
});

/** A server action of a build. `pages`: routes whose bundle has it, as `/clusters/[cluster]`. */
export type Action = { id: string; file: string; name: string; pages: string[] };

/** Every server action of a build, from Next's manifest. */
export function actionsOf(build: string): Action[] {
  const text = readFileSync(join(build, 'server', 'server-reference-manifest.json'), 'utf8');
  return Object.entries(manifestSchema.parse(JSON.parse(text)).node).map(
    ([id, { filename, exportedName, workers }]) => ({
      id,
      file: filename,
      name: exportedName,
      pages: Object.keys(workers).map((worker) => worker.replace(/^app/, '').replace(/\/page$/, '') || '/'),
    }),
  );
}

/** Every route of a build: `/clusters/[cluster]`, `/api/clusters/[cluster]/events` …, without those that Next makes for itself. */
export function routesOf(build: string): string[] {
  const text = readFileSync(join(build, 'app-path-routes-manifest.json'), 'utf8');
  const routes = z.record(z.string(), z.string()).parse(JSON.parse(text));
  return Object.values(routes).filter((route) => !route.startsWith('/_'));
}

/** A route with values for its parameters. */
export function filled(route: string, names: Readonly<Record<string, string>>): string {
  return route.replaceAll(/\[(\w+)\]/g, (_, name: string) => names[name] ?? 'x');
}
