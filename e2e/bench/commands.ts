import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark } from './benchmark.ts';
import { measure } from './measured-process.ts';

const signalbox = join(import.meta.dirname, '..', '..', 'bin', 'signalbox');

/** What somebody waits for at a prompt (cli.md › Speed). */
const measured: readonly { readonly args: readonly string[]; readonly limitMs: number; readonly rounds: number }[] = [
  { args: ['version', '--client'], limitMs: 300, rounds: 7 },
  { args: ['check', '--sandbox', 'standard', '-o', 'json'], limitMs: 1_000, rounds: 5 },
];

export const commands: Benchmark = {
  name: 'commands',
  title: 'Commands at a prompt, from start to end of the process',
  async run() {
    const state = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    try {
      const lines: string[] = [];
      for (const { args, limitMs, rounds } of measured) {
        const times: number[] = [];
        for (let round = 0; round < rounds; round++) {
          const { ms } = await measure(signalbox, args, {
            env: { ...process.env, XDG_STATE_HOME: state },
            discardOutput: true,
            alsoFine: 3,
          });
          times.push(ms);
        }
        // The first run fills the compile cache.
        const [best = 0, ...others] = times.slice(1).sort((a, b) => a - b);
        const middle = [best, ...others][Math.floor(others.length / 2)] ?? best;
        lines.push(`signalbox ${args.join(' ')}: ${middle.toFixed(0)} ms, best ${best.toFixed(0)} ms (≤ ${limitMs})`);
      }
      return lines;
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  },
};
