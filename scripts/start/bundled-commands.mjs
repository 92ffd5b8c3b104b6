import { join } from 'node:path';
import { freshBundle } from '../../lib/cli/bundle.mjs';
import { node24 } from '../node24-path.mjs';
import { run } from '../setup/child.mjs';

/**
 * Bundles the commands if their sources changed. Needs installed packages. A failure is printed and stops nothing, because commands also run from their
 * sources, only slower.
 */
export async function bundleCommands() {
  if (freshBundle() !== null) return;
  const { code, tail } = await run(node24(), [join('scripts', 'start', 'bundle-commands.mjs')], {
    output: { log: '/dev/null' },
  });
  if (code !== 0)
    console.error(`${tail.trim()}\nThe commands were not bundled; they run from their sources, at half the speed.`);
}
