import { parseAllDocuments } from 'yaml';
import { calicoFile } from '#e2e/controlplane/index.ts';
import { changesByHand, objectsCompared } from '#lib/checks/index.ts';
import type { ReadObject } from '#lib/facts/index.ts';
import type { Manifest, ManifestObject } from '#lib/spec/index.ts';
import type { Benchmark } from './benchmark.ts';

/** The largest manifest with the most objects to compare, from one release to the next, each object changed in one place. */
const file = 'calico.yaml';
const [from, to] = ['v3.30.7', 'v3.31.4'] as const;

export const threeWay: Benchmark = {
  name: 'three-way',
  title: `Comparing ${file} of ${from}, the cluster and ${file} of ${to}`,
  async run({ options }) {
    const [old, next] = await Promise.all([objectsOf(from), objectsOf(to)]);
    const released = new Map(old.map((one) => [nameOf(one), one]));
    const live = new Map(old.map((one) => [nameOf(one), changed(one)]));
    const compare = () =>
      next.flatMap((one) => {
        const object = nameOf(one);
        const here = live.get(object);
        return here
          ? changesByHand({ object, live: here, old: released.get(object) ?? one, next: one, answers: {} })
          : [];
      });
    const took: number[] = [];
    let found = 0;
    for (let round = 0; round < Number(options.rounds ?? 7); round++) {
      const began = process.cpuUsage();
      found = compare().length;
      const { user, system } = process.cpuUsage(began);
      took.push((user + system) / 1000);
    }
    const [first = 0] = took;
    const middle = took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;
    return [
      `${next.length} objects, ${found} changes by hand: ${first.toFixed(0)} ms of the processor at first, ${middle.toFixed(0)} ms in the middle of ${took.length} (≤ 200 ms)`,
    ];
  },
};

async function objectsOf(version: string): Promise<ManifestObject[]> {
  const objects = parseAllDocuments(await calicoFile(version, file)).flatMap(
    (document) => (document.toJS() as ManifestObject | null) ?? [],
  );
  return objectsCompared({ version, file, sha256: '', objects } satisfies Manifest);
}

const nameOf = ({ kind, metadata }: ManifestObject) => `${kind}/${metadata.name}`;

function changed(one: ManifestObject): ReadObject {
  const { metadata } = one;
  return { ...one, metadata: { ...metadata, labels: { ...(metadata.labels as object), mine: 'x' } } } as ReadObject;
}
