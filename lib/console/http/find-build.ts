import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The file that `scripts/start.mjs` writes last; a folder without it is an interrupted build. */
const finishedMark = 'signalbox-finished';

/** The newest finished build of the routes, or null. */
export async function newestBuild(root: string): Promise<string | null> {
  const folder = join(root, '.next');
  const builds = await Promise.all(
    (await readdir(folder).catch(() => [])).map(async (name) => ({
      path: join(folder, name),
      at: await stat(join(folder, name, finishedMark)).then(
        ({ mtimeMs }) => mtimeMs,
        () => null,
      ),
    })),
  );
  return builds.filter(({ at }) => at !== null).sort((a, b) => (b.at ?? 0) - (a.at ?? 0))[0]?.path ?? null;
}
