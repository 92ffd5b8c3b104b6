import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import type { Benchmark } from './benchmark.ts';
import { aPod, bigNode, bigSize, seconds } from './big-cluster.ts';
import { cliFlags, measure } from './measured-process.ts';

/** In time of the processor: beside other work the clock measures that work too. */
const figures = z.object({ cpuMs: z.number(), peakKiB: z.number(), objects: z.number() });
type Figures = z.infer<typeof figures>;

/** All checks of a dump, and the plan of an upgrade from one, against reading and parsing its file; and YAML as kubectl writes it against JSON. */
export const dump: Benchmark = {
  name: 'dump',
  title: 'Checking and planning from a dump of 5,000 nodes and 20,000 pods',
  async run({ report, options }) {
    const size = { nodes: Number(options.nodes ?? bigSize.nodes), pods: Number(options.pods ?? bigSize.pods) };
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
    try {
      // By namespace and name, as a server lists them.
      const items = [
        ...byKey(Array.from({ length: size.nodes }, (_, i) => bigNode(i, bigSize.imagesPerNode))),
        // A list of pods without any of kube-system is a part of one, and is refused.
        ...byKey(
          Array.from({ length: size.pods }, (_, i) =>
            aPod(i, i % 20 === 0 ? 'kube-system' : `team-${i % 20}`, `node-${i % size.nodes}`),
          ),
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
      const old = join(folder, 'old.json');
      const { objects, close } = await openSandbox('calico-3.30', { speed: 'instant', operator: 'none' });
      writeFileSync(old, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...objects(), ...items] }));
      await close();
      const rounds = Number(options.rounds ?? 7);
      const runs = {
        parse: ['dump-parse', files.json],
        opened: ['dump-open', files.json],
        yaml: ['dump-open', files.yaml],
        check: ['dump-check', files.json],
        plan: ['upgrade-plan', old],
      } as const;
      const found: Record<keyof typeof runs, Figures[]> = { parse: [], check: [], opened: [], yaml: [], plan: [] };
      // One round after the other, all of them in each: what else the machine does in a minute disturbs them alike.
      for (let round = 0; round < rounds; round++) {
        for (const [name, run] of entriesOf(runs)) {
          const { stdout } = await measure(process.execPath, [
            ...cliFlags,
            join(import.meta.dirname, 'reader.ts'),
            ...run,
          ]);
          found[name].push(figures.parse(JSON.parse(stdout)));
        }
      }
      const line = (name: string, all: readonly Figures[]) => {
        const { cpuMs, peakKiB, objects } = middle(all, ({ cpuMs }) => cpuMs);
        const [quickest, slowest] = spread(all.map((one) => one.cpuMs));
        return `${name}  ${seconds(cpuMs)} (${seconds(quickest)} to ${seconds(slowest)}), ${Math.round(peakKiB / 1024)} MiB, ${objects} objects`;
      };
      const ratio = (of: readonly Figures[], to: readonly Figures[], what: 'cpuMs' | 'peakKiB') => {
        const each = of.map((one, round) => one[what] / (to[round]?.[what] ?? Number.NaN));
        const [least, most] = spread(each);
        return `${middle(each, (one) => one).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)} over ${rounds} rounds)`;
      };
      const { parse, check, opened, yaml, plan } = found;
      return [
        line('parsing JSON ', parse),
        line('opening JSON ', opened),
        line('opening YAML ', yaml),
        line('check of JSON', check),
        line('upgrade plan ', plan),
        `YAML ÷ JSON: ${ratio(yaml, opened, 'cpuMs')} (≤ 3), memory ${ratio(yaml, opened, 'peakKiB')} (≤ 2)`,
        `check ÷ parsing: ${ratio(check, parse, 'cpuMs')} (≤ 1.7)`,
        `plan of an upgrade ÷ parsing: ${ratio(plan, parse, 'cpuMs')} (≤ 2.5)`,
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const entriesOf = <K extends string, V>(all: Readonly<Record<K, V>>) => Object.entries(all) as [K, V][];

/** The one in the middle by this figure. */
function middle<T>(all: readonly T[], figure: (one: T) => number): T {
  const found = all.toSorted((one, other) => figure(one) - figure(other))[all.length >> 1];
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}

const spread = (all: readonly number[]): [number, number] => [Math.min(...all), Math.max(...all)];

function byKey(objects: readonly KubeObject[]): KubeObject[] {
  const keyOf = ({ metadata: { namespace = '', name = '' } }: KubeObject) => `${namespace}/${name}`;
  return objects.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Entries of a list as `kubectl get -o yaml` prints them. */
function printed(items: readonly unknown[]): string {
  return stringify(items, { indentSeq: false, lineWidth: 80, aliasDuplicateObjects: false });
}
