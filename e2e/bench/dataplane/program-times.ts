import { readFileSync, writeFileSync } from 'node:fs';
import type { DataPlane } from '#lib/node/bpf/index.ts';

/** The kernel counts what programs take while this is 1, which takes some time itself (Documentation/admin-guide/sysctl/kernel.rst). */
const counted = '/proc/sys/kernel/bpf_stats_enabled';

/** Of struct bpf_prog_info: how long it ran in all, in ns, and how often. */
const programInfo = { size: 232, ranNs: 192, runs: 200 } as const;

/** Has the kernel count; returns how to put that back as it was. */
export function countProgramTimes(): () => void {
  const was = readFileSync(counted, 'utf8');
  writeFileSync(counted, '1');
  return () => writeFileSync(counted, was);
}

/** Runs per connection and mean time of each program, the costliest first: `incoming 8.0 × 353 ns`. */
export function programTimes({ libbpf, programs }: DataPlane, connections: number): string {
  return Object.entries(programs)
    .map(([name, program]) => {
      const info = Buffer.alloc(programInfo.size);
      const size = Buffer.alloc(4);
      size.writeUInt32LE(programInfo.size);
      libbpf.number('info', `read of ${name}`, program, info, size);
      const [ranNs, runs] = [programInfo.ranNs, programInfo.runs].map((at) => Number(info.readBigUInt64LE(at)));
      return { name, ranNs: ranNs ?? 0, runs: runs ?? 0 };
    })
    .filter(({ runs }) => runs > 0)
    .sort((one, other) => other.ranNs - one.ranNs)
    .map(({ name, ranNs, runs }) => `${name} ${(runs / connections).toFixed(1)} × ${(ranNs / runs).toFixed(0)} ns`)
    .join(', ');
}
