import type { PlatformKind } from '../choices.ts';
import { releaseAtLeast } from '../releases/versions.ts';
import { type Distribution, type DistributionFamily, distributionFamily } from './distributions.ts';
import { type FloorVerdict, kernelAtLeast } from './kernels.ts';

/**
 * Distributions that eBPF mode supports only from a release on (checks.md › node.distribution). Every other one (Debian, Amazon Linux, SUSE, Fedora,
 * RHCOS with its `4xx.*` numbering, immutable systems) has only the kernel's rule.
 */
export type DistributionFloor = {
  family: DistributionFamily;
  name: string;
  floor: string;
  /** A hosted service's image of an older release that has a kernel recent enough. */
  except?: { platform: PlatformKind; release: string };
  /** For nodes that report no minor release: the kernel of the floor's release. */
  kernelOfFloor?: string;
  source: string;
  read: string;
};

export const distributionFloors: readonly DistributionFloor[] = [
  {
    family: 'ubuntu',
    name: 'Ubuntu',
    floor: '20.04',
    except: { platform: 'aks', release: '18.04' },
    source: 'spec › Limits; product.md › Names (cloud A is AKS)',
    read: '2026-11-20',
  },
  {
    family: 'rhel',
    name: 'the RHEL family',
    floor: '8.2',
    kernelOfFloor: '4.18.0-193',
    source: 'spec › Limits',
    read: '2026-11-20',
  },
];

/** The release that eBPF mode needs of a node's distribution, and whether it has it; null if only the kernel's rule counts. */
export function distributionVerdict(
  { distribution, kernel }: { distribution: Distribution; kernel: string },
  platform: PlatformKind,
): FloorVerdict | null {
  const family = distributionFamily(distribution.id);
  const row = distributionFloors.find((one) => one.family === family);
  if (!row) return null;
  const { floor, except, kernelOfFloor } = row;
  const { version } = distribution;
  if (except && except.platform === platform && version === except.release) return { floor, has: 'yes' };
  if (version === null) return { floor, has: 'undecided' };
  const byRelease = releaseAtLeast(version, floor);
  // CentOS reports every release of 8 as "8"; its kernel distinguishes 8.1 and 8.2.
  const mayAsk = byRelease === 'undecided' && kernelOfFloor !== undefined;
  return { floor, has: mayAsk ? kernelAtLeast(kernel, kernelOfFloor) : byRelease };
}
