import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { Benchmark } from './benchmark.ts';
import { aPod, bigNode, bigSize, seconds } from './big-cluster.ts';
import { cliFlags, measure } from './measured-process.ts';

/** In time of the processor: beside other work the clock measures that work too. */
const figures = z.object({ cpuMs: z.number(), peakKiB: z.number(), objects: z.number() });

/** All checks of a dump against reading and parsing its file, and YAML as kubectl writes it against JSON. */
export const dump: Benchmark = {
  name: 'dump',
  title: 'Checking a dump of 5,000 nodes and 20,000 pods',
  async run({ report, options }) {
    const size = { nodes: Number(options.nodes ?? bigSize.nodes), pods: Number(options.pods ?? bigSize.pods) };
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    try {
      const items = [
        ...Array.from({ length: size.nodes }, (_, i) => bigNode(i, bigSize.imagesPerNode)),
        // A list of pods without any of kube-system is a part of one, and is refused.
        ...Array.from({ length: size.pods }, (_, i) =>
          aPod(i, i % 20 === 0 ? 'kube-system' : `team-${i % 20}`, `node-${i % size.nodes}`),
        ),
      ];
      const files = { json: join(folder, 'cluster.json'), yaml: join(folder, 'cluster.yaml') };
      const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      writeFileSync(files.json, text);
      // In pieces: printing takes many times the memory of parsing.
      writeFileSync(files.yaml, 'apiVersion: v1\nitems:\n');
      for (let at = 0; at < items.length; at += 500) appendFileSync(files.yaml, printed(items.slice(at, at + 500)));
      appendFileSync(files.yaml, 'kind: List\n');
      const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
      report(`dumps of ${megabytes(text.length)} JSON and ${megabytes(statSync(files.yaml).size)} YAML are written`);
      const rounds = Number(options.rounds ?? 5);
      const measured = async (what: string, file: string) => {
        const found: z.infer<typeof figures>[] = [];
        for (let round = 0; round < rounds; round++) {
          const { stdout } = await measure(process.execPath, [
            ...cliFlags,
            join(import.meta.dirname, 'reader.ts'),
            what,
            file,
          ]);
          found.push(figures.parse(JSON.parse(stdout)));
        }
        return found.sort((one, other) => one.cpuMs - other.cpuMs);
      };
      const parse = await measured('dump-parse', files.json);
      const check = await measured('dump-check', files.json);
      const opened = await measured('dump-open', files.json);
      const yaml = await measured('dump-open', files.yaml);
      const line = (name: string, found: typeof parse) => {
        const { cpuMs, peakKiB, objects } = best(found);
        const slowest = seconds(found.at(-1)?.cpuMs ?? cpuMs);
        return `${name}  ${seconds(cpuMs)} (to ${slowest}), ${Math.round(peakKiB / 1024)} MiB, ${objects} objects`;
      };
      // Rounds of one rank beside each other: the quickest says most, the others how far to trust it.
      const ratios = (of: typeof parse, to: typeof parse) => {
        const each = of.map(({ cpuMs }, i) => cpuMs / (to[i]?.cpuMs ?? cpuMs));
        const [least, most] = [Math.min(...each), Math.max(...each)];
        return `${(best(of).cpuMs / best(to).cpuMs).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)} over ${rounds} rounds)`;
      };
      return [
        line('parsing JSON ', parse),
        line('opening JSON ', opened),
        line('opening YAML ', yaml),
        line('check of JSON', check),
        `YAML ÷ JSON: ${ratios(yaml, opened)} (≤ 3), memory ${(best(yaml).peakKiB / best(opened).peakKiB).toFixed(2)} (≤ 2)`,
        `check ÷ parsing: ${ratios(check, parse)} (≤ 1.7)`,
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function best<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('nothing was measured');
  return first;
}

/** Entries of a list as `kubectl get -o yaml` prints them. */
function printed(items: readonly unknown[]): string {
  return stringify(items, { indentSeq: false, lineWidth: 80, aliasDuplicateObjects: false });
}
