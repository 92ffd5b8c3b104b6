import { join } from 'node:path';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { bigSize, type Size, seconds, startBigCluster } from './big-cluster.ts';
import { cliFlags, type Measured, measure } from './measured-process.ts';

const figures = z.object({ ms: z.number(), peakKiB: z.number(), objects: z.number(), bytes: z.number().optional() });
type Figures = z.infer<typeof figures>;

/** Facts of a big cluster against a bare loop over the same objects, and against kubectl. */
export const check: Benchmark = {
  name: 'check',
  title: 'Reading the facts of 5,000 nodes and 20,000 pods',
  async run({ report, options }) {
    const size: Size = {
      nodes: Number(options.nodes ?? bigSize.nodes),
      imagesPerNode: bigSize.imagesPerNode,
      pods: Number(options.pods ?? bigSize.pods),
    };
    const plane = await startBigCluster(size, report);
    try {
      const reader = async (what: string): Promise<Figures> => {
        const { stdout } = await measure(process.execPath, [
          ...cliFlags,
          join(import.meta.dirname, 'reader.ts'),
          what,
          plane.kubeconfig,
        ]);
        return figures.parse(JSON.parse(stdout));
      };
      // The first reader of all pays for the API server's own warming up.
      await reader('bare');
      const rounds: { bare: Figures; facts: Figures }[] = [];
      for (let round = 0; round < Number(options.rounds ?? 3); round++) {
        rounds.push({ bare: await reader('bare'), facts: await reader('facts') });
      }
      const bare = median(rounds.map((round) => round.bare));
      const facts = median(rounds.map((round) => round.facts));
      const lines = [
        `bare loop  ${seconds(bare.ms)}, ${mib(bare)} MiB, ${bare.objects} objects, ${((bare.bytes ?? 0) / 1e6).toFixed(0)} MB`,
        `facts      ${seconds(facts.ms)}, ${mib(facts)} MiB, ${facts.objects} objects`,
        `facts ÷ bare loop: ${(facts.ms / bare.ms).toFixed(2)} (≤ 1.5)   memory: ${mib(facts)} MiB (< 350)`,
      ];
      if (options.kubectl === 'no') return lines;
      const env = { ...process.env, KUBECONFIG: plane.kubeconfig };
      const kubectl: Measured = await measure(plane.binaries.kubectl, ['get', 'nodes,pods', '-A', '-o', 'json'], {
        env,
        discardOutput: true,
      });
      return [
        ...lines,
        `kubectl    ${seconds(kubectl.ms)}, ${kubectl.peakMiB ?? '?'} MiB`,
        `facts ÷ kubectl: ${(facts.ms / kubectl.ms).toFixed(3)} (≤ 0.15)`,
      ];
    } finally {
      await plane.stop();
    }
  },
};

function mib({ peakKiB }: Figures): number {
  return Math.round(peakKiB / 1024);
}

function median(all: readonly Figures[]): Figures {
  const sorted = [...all].sort((a, b) => a.ms - b.ms);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('Nothing was measured: --rounds must be at least 1.');
  return middle;
}
