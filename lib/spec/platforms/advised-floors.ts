import type { PlatformKind } from '../choices.ts';
import { releaseAtLeast } from '../releases/versions.ts';
import { distributionVerdict } from './distribution-floors.ts';
import { type Distribution, distributionFamily } from './distributions.ts';
import { kernelAtLeast, kernelRuleFor, kernelVerdict } from './kernels.ts';

/**
 * Requirements of Calico's current documentation for nodes in eBPF mode, which exceed the specification's. Advice only: `kernelRules` and `distributionFloors`
 * decide.
 */
export type AdvisedFloor = {
  readonly family: 'ubuntu' | 'rhel' | 'any';
  /** Release of the distribution; null: only its kernel counts. */
  readonly release: string | null;
  readonly kernel: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const source =
  'tigera/docs calico_versioned_docs/version-3.32/operations/ebpf/enabling-ebpf.mdx; tigera/docs#2586; https://docs.tigera.io/calico/latest/operations/ebpf/enabling-ebpf';
const read = '2026-11-23';

export const advisedFloors: readonly AdvisedFloor[] = [
  { family: 'ubuntu', release: '22.04', kernel: '5.10', source, read },
  { family: 'rhel', release: '8.4', kernel: '4.18.0-305', source, read },
  { family: 'any', release: null, kernel: '5.10', source, read },
];

/**
 * `release 22.04` or `kernel 5.10` if a node has less. Null: it has that, or its version is unknown, or it is below the deciding floors and reported for that.
 */
export function belowAdvice(
  node: { distribution: Distribution; kernel: string },
  platform: PlatformKind,
): string | null {
  if (kernelVerdict(node).has === 'no' || distributionVerdict(node, platform)?.has === 'no') return null;
  const { distribution, kernel } = node;
  const family = kernelRuleFor(distribution, kernel).family === 'rhel' ? 'rhel' : distributionFamily(distribution.id);
  const row = advisedFloors.find((one) => one.family === family) ?? advisedFloors.find((one) => one.family === 'any');
  if (!row) return null;
  if (kernelAtLeast(kernel, row.kernel) === 'no') return `kernel ${row.kernel}`;
  if (row.release === null || distribution.version === null || row.family === 'rhel') return null;
  return releaseAtLeast(distribution.version, row.release) === 'no' ? `release ${row.release}` : null;
}
