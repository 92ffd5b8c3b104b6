import { release } from 'node:os';
import type { DataPlane } from '#lib/node/bpf/index.ts';

export type Loaded = {
  /** As `uname -r` says it. */
  readonly kernel: string;
  /** How many instructions the verifier went through for each program. */
  readonly verified: Readonly<Record<string, number>>;
  /** What this kernel lacks, and the programs do without. */
  readonly lacks: readonly string[];
};

/** As a line of JSON. */
export function sayLoaded({ verified, lacks }: Pick<DataPlane, 'verified' | 'lacks'>): void {
  const loaded: Loaded = { kernel: release(), verified, lacks };
  console.log(JSON.stringify(loaded));
}
