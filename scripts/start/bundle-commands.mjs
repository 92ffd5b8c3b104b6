/**
 * `node24 scripts/start/bundle-commands.mjs`: bundles all modules of the commands, for lib/cli/bundle.mjs to find. Packages with parts that a bundle
 * cannot hold stay outside. Does nothing if the last bundle is of the present sources.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { bundlesIn, currentBundle, freshBundle } from '../../lib/cli/bundle.mjs';
import { root } from '../setup/root.mjs';

const bundles = bundlesIn();

/** Number of bundles to keep: a running process may still load parts of an earlier one. */
const keptBundles = 3;

/** Packages with native code or data files, and Next. */
const outside = [/^@duckdb\//, /^@grpc\//, /^koffi$/, /^next(\/|$)/];

if (freshBundle() === null) await bundle();

async function bundle() {
  // The folder is as readable as the sources, so that other users of this machine can run the commands.
  const folder = join(bundles, `commands-${Date.now().toString(36)}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const build = await rolldown({
    input: join(root, 'lib/cli/run-cli.ts'),
    platform: 'node',
    external: outside,
    plugins: [{ name: 'paths-of-sources', transform: withItsOwnPath }],
  });
  const { output } = await build.write({ dir: folder, format: 'esm' });
  await build.close();
  const sources = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  const ours = sources.filter((path) => path.startsWith(root) && !path.includes('/node_modules/'));
  const entry = output.find((part) => part.type === 'chunk' && part.isEntry);
  if (entry === undefined || ours.length === 0) throw new Error(`Nothing was bundled into ${folder}`);
  const inputs = [...ours, join(root, 'node_modules/.package-lock.json')].sort().map((path) => {
    const { size, mtimeMs } = statSync(path);
    return [relative(root, path), size, mtimeMs];
  });
  const written = join(folder, 'bundle.json');
  writeFileSync(written, JSON.stringify({ root, entry: relative(root, join(folder, entry.fileName)), inputs }));
  renameSync(written, currentBundle());
  prune();
}

/** Replaces `import.meta` by the source's own path, so that a bundled source still finds files beside it. @param {string} code @param {string} path */
function withItsOwnPath(code, path) {
  if (path.includes('/node_modules/') || !code.includes('import.meta.')) return null;
  return code
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
}

function prune() {
  const folders = readdirSync(bundles, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('commands-'))
    .map(({ name }) => ({ path: join(bundles, name), madeMs: statSync(join(bundles, name)).mtimeMs }))
    .sort((a, b) => b.madeMs - a.madeMs);
  for (const { path } of folders.slice(keptBundles)) rmSync(path, { recursive: true, force: true });
}
