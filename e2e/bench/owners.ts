import { join } from 'node:path';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { startEmulatedCluster } from './emulated/process.ts';
import { cliFlags, measure } from './measured-process.ts';

const figures = z.object({ ms: z.number(), peakKiB: z.number(), startKiB: z.number(), objects: z.number() });
type Figures = z.infer<typeof figures>;

/** A node of the emulated cluster has two pods. */
const nodesOf200000 = 66_667;

/** The search for owner references, which reads everything in a cluster, against paging through the same and keeping nothing. */
export const owners: Benchmark = {
  name: 'owners',
  title: 'Owner references among 200,000 objects',
  async run({ report, options }) {
    const cluster = await startEmulatedCluster(Number(options.nodes ?? nodesOf200000), report);
    try {
      const reader = async (what: string): Promise<Figures> => {
        const script = join(import.meta.dirname, 'reader.ts');
        const { stdout } = await measure(process.execPath, [...cliFlags, script, what, cluster.kubeconfig]);
        return figures.parse(JSON.parse(stdout));
      };
      // The first reader of all pays for the API server's own warming up.
      await reader('metadata');
      const rounds: { bare: Figures; owners: Figures }[] = [];
      for (let round = 0; round < Number(options.rounds ?? 3); round++)
        rounds.push({ bare: await reader('metadata'), owners: await reader('owners') });
      const bare = middle(rounds.map((one) => one.bare));
      const found = middle(rounds.map((one) => one.owners));
      return [
        `paging     ${bare.ms.toFixed(0)} ms, ${aboveStart(bare)} MiB above start, ${bare.objects} objects`,
        `owners     ${found.ms.toFixed(0)} ms, ${found.objects} found`,
        `owners ÷ paging: ${(found.ms / bare.ms).toFixed(2)} (≤ 1.2)   memory above start: ${aboveStart(found)} MiB (< 150)`,
      ];
    } finally {
      cluster.stop();
    }
  },
};

const aboveStart = ({ peakKiB, startKiB }: Figures) => Math.round((peakKiB - startKiB) / 1024);

function middle(all: readonly Figures[]): Figures {
  const found = all.toSorted((left, right) => left.ms - right.ms)[Math.floor(all.length / 2)];
  if (!found) throw new Error('Nothing was measured: --rounds must be at least 1.');
  return found;
}
