import { join } from 'node:path';
import { freshBundle } from '../../lib/cli/bundle.mjs';
import { node24 } from '../node24-path.mjs';
import { run } from '../setup/child.mjs';

/**
 * Bundles what commands load, where that changed: packages have to be there. Commands run from their sources too, only slower, so that a failure is
 * said and stops nothing.
 */
export async function bundleCommands() {
  if (freshBundle() !== null) return;
  const { code, tail } = await run(node24(), [join('scripts', 'start', 'bundle-commands.mjs')], {
    output: { log: '/dev/null' },
  });
  if (code !== 0)
    console.error(`${tail.trim()}\nThe commands were not bundled; they run from their sources, at half the speed.`);
}
