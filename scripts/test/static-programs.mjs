import { join } from 'node:path';
import { root } from '../setup/root.mjs';

/** Each counts as one test. */
const programs = [
  { name: 'biome', args: ['ci', '--reporter=default'] },
  { name: 'tsc', args: ['--noEmit'] },
  // Files, exports (types too) and packages that nothing uses.
  { name: 'knip', args: ['--no-progress', '--no-config-hints'] },
];

/** @param {typeof import('../setup/child.mjs').run} run @returns {Promise<import('./tally.mjs').Tally>} */
export async function runPrograms(run) {
  let passed = 0;
  /** @type {string[]} */
  const failed = [];
  for (const { name, args } of programs) {
    const { code } = await run(join(root, 'node_modules', '.bin', name), args, { output: 'show' });
    const command = `${name} ${args.join(' ')}`;
    if (code === 0) passed += 1;
    else failed.push(`static: ${command}`);
    console.log(`${code === 0 ? '✓' : '✗'} ${command}`);
  }
  return { passed, failed, skipped: 0 };
}
