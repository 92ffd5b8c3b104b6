import type { PlatformKind } from '../choices.ts';
import { type DistributionFamily, distributionFamily } from './distributions.ts';

/**
 * Distributions that eBPF mode takes only from a release on (checks.md › node.distribution). Every other one (Debian, Amazon Linux, SUSE, Fedora,
 * RHCOS with its `4xx.*` numbering, immutable systems) has the kernel's rule alone.
 */
export type DistributionFloor = {
  family: DistributionFamily;
  name: string;
  floor: string;
  /** A hosted service's image of an older release that has a kernel recent enough. */
  except?: { platform: PlatformKind; release: string };
  /** Where the node tells no minor release: the kernel that the floor's own release shipped with. */
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

export function distributionFloorFor(distribution: { id: string }): DistributionFloor | null {
  const family = distributionFamily(distribution.id);
  return distributionFloors.find((row) => row.family === family) ?? null;
}
