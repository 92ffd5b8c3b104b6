import { type Outcome, outcomes } from './data-plane-values.ts';
import type { Libbpf } from './libbpf.ts';

/** Numbers of packets by outcome since the programs were loaded; zeros are left out. */
export type Counts = Partial<Readonly<Record<Outcome, number>>>;

/** OUTCOMES of bpf/statistics.h: the length of a row. */
const rowLength = 32;

/** Rows of `statistics`, each summed over all possible processors, for each of which the kernel keeps a value. @throws BpfError */
export function readCounts(libbpf: Libbpf, fd: number, rows: readonly number[]): ReadonlyMap<number, Counts> {
  const processors = libbpf.number('possibleCpus', 'count processors');
  const key = Buffer.alloc(4);
  const values = Buffer.alloc(8 * processors);
  return new Map(
    rows.map((row) => {
      const counts: Partial<Record<Outcome, number>> = {};
      for (const [outcome, at] of Object.entries(outcomes) as [Outcome, number][]) {
        key.writeUInt32LE(row * rowLength + at);
        libbpf.number('lookup', 'read statistics', fd, key, values);
        let sum = 0n;
        for (let one = 0; one < processors; one++) sum += values.readBigUInt64LE(8 * one);
        if (sum > 0n) counts[outcome] = Number(sum);
      }
      return [row, counts];
    }),
  );
}
