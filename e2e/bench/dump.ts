import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { aPod, bigNode, bigSize, seconds } from './big-cluster.ts';
import { cliFlags, measure } from './measured-process.ts';

const figures = z.object({ ms: z.number(), peakKiB: z.number(), objects: z.number() });

/** All checks of a dump against reading and parsing its file. */
export const dump: Benchmark = {
  name: 'dump',
  title: 'Checking a dump of 5,000 nodes and 20,000 pods',
  async run({ report, options }) {
    const size = { nodes: Number(options.nodes ?? bigSize.nodes), pods: Number(options.pods ?? bigSize.pods) };
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    try {
      const file = join(folder, 'cluster.json');
      const items = [
        ...Array.from({ length: size.nodes }, (_, i) => bigNode(i, bigSize.imagesPerNode)),
        ...Array.from({ length: size.pods }, (_, i) => aPod(i, `team-${i % 20}`, `node-${i % size.nodes}`)),
      ];
      const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      writeFileSync(file, text);
      report(`a dump of ${(text.length / 1e6).toFixed(0)} MB is written`);
      const best = async (what: string) => {
        const rounds = [];
        for (let round = 0; round < Number(options.rounds ?? 3); round++) {
          const { stdout } = await measure(process.execPath, [
            ...cliFlags,
            join(import.meta.dirname, 'reader.ts'),
            what,
            file,
          ]);
          rounds.push(figures.parse(JSON.parse(stdout)));
        }
        return rounds.reduce((one, other) => (other.ms < one.ms ? other : one));
      };
      const parse = await best('dump-parse');
      const check = await best('dump-check');
      return [
        `parsing  ${seconds(parse.ms)}, ${Math.round(parse.peakKiB / 1024)} MiB, ${parse.objects} objects`,
        `check    ${seconds(check.ms)}, ${Math.round(check.peakKiB / 1024)} MiB, ${check.objects} objects`,
        `check ÷ parsing: ${(check.ms / parse.ms).toFixed(2)} (≤ 2)`,
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
