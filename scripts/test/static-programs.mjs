import { join } from 'node:path';
import { root } from '../setup/root.mjs';

/** The programs of the suite `static`; each counts as one test. */
const programs = [
  { name: 'biome', args: ['ci', '--reporter=default'] },
  { name: 'tsc', args: ['--noEmit'] },
  // Finds files, exports (also types) and packages that nothing uses.
  { name: 'knip', args: ['--no-progress', '--no-config-hints'] },
];

/**
 * At the same time: knip has one thread, and the processors that the others leave. What each writes is shown line by line behind its name.
 * @param {typeof import('../setup/child.mjs').run} run @returns {Promise<import('./tally.mjs').Tally>}
 */
export async function runPrograms(run) {
  const commands = await Promise.all(
    programs.map(async ({ name, args }) => {
      const output = { each: `${name.padEnd(5)} │ ` };
      const { code } = await run(join(root, 'node_modules', '.bin', name), args, { output });
      const command = `${name} ${args.join(' ')}`;
      console.log(`${code === 0 ? '✓' : '✗'} ${command}`);
      return { code, command };
    }),
  );
  const failed = commands.filter(({ code }) => code !== 0).map(({ command }) => `static: ${command}`);
  return { passed: commands.length - failed.length, failed, skipped: 0 };
}
