import { remembered } from '../objects/remembered.ts';
import { compareNumbers } from '../releases/versions.ts';
import { distributionFamily } from './distributions.ts';

/**
 * Kernels that can run eBPF mode. The agent compares the same way (calico.md §10): numerically x.y.z, and for the RHEL family also the
 * release number after the dash, because Red Hat back-ports eBPF into 4.18 (193 is RHEL 8.2). A release candidate counts as its release.
 */
export type KernelRule = { family: 'rhel' | 'any'; floor: string; source: string; read: string };

export const kernelRules: readonly KernelRule[] = [
  { family: 'rhel', floor: '4.18.0-193', source: 'spec › Limits; calico.md §10', read: '2026-11-20' },
  { family: 'any', floor: '5.3', source: 'spec › Limits; calico.md §10', read: '2026-11-20' },
];

/** Kernels with TCX, by which programs are attached beside traffic shaping: Linux 6.6, and RHEL 9.4, which has it in its 5.14.0. */
export const tcxKernels: readonly KernelRule[] = [
  {
    family: 'rhel',
    floor: '5.14.0-427',
    source: 'mozillazg/ptcpdump#236, mozillazg/ptcpdump#244: attached on AlmaLinux 9.4',
    read: '2026-11-23',
  },
  {
    family: 'any',
    floor: '6.6',
    source: 'tigera/docs calico_versioned_docs/version-3.31/networking/configuring/qos-controls.mdx',
    read: '2026-11-23',
  },
];

/** `.el8`, `.el8_2`, `.el8uek`: built for the RHEL family, also where the node's image has a numbering (RHCOS) or a name of its own. */
const isEnterpriseKernel = remembered((kernel) => /\.el\d+(?:_\d+|uek)?(?=$|[._])/.test(kernel));

export type Kernel = {
  /** `5.10.102.1` → 5, 10, 102, 1; at least three. */
  upstream: readonly number[];
  /** The distribution's numbers after the dash: `-193.1.2.el8_2` gives 193, 1, 2; empty without any. */
  release: readonly number[];
};

const kernelShape = /^(\d{1,5}\.\d{1,5}(?:\.\d{1,9}){0,4})(?:-(\d{1,9}(?:\.\d{1,9})*)(?=$|[-+_~.])|(?=$|[-+_~]))/;

/** Parses the output of `uname -r`, which nodeInfo.kernelVersion has; null if it is no kernel version. */
export const parseKernel = remembered((text): Kernel | null => {
  const match = kernelShape.exec(text.trim());
  if (match?.[1] === undefined) return null;
  const [major = 0, minor = 0, patch = 0, ...rest] = match[1].split('.').map(Number);
  return { upstream: [major, minor, patch, ...rest], release: match[2]?.split('.').map(Number) ?? [] };
});

export function kernelRuleFor(distribution: { id: string }, kernel: string): KernelRule {
  const isRhel = distributionFamily(distribution.id) === 'rhel' || isEnterpriseKernel(kernel);
  const family = isRhel ? 'rhel' : 'any';
  const rule = kernelRules.find((row) => row.family === family);
  if (!rule) throw new Error(`kernelRules has no row for ${family}`);
  return rule;
}

/** Whether a node has TCX; `undecided`: it reports no kernel. The general row applies to other kernels of the family (Oracle's 5.15). */
export function hasTcx({
  distribution,
  kernel,
}: {
  distribution: { id: string };
  kernel: string;
}): FloorVerdict['has'] {
  const { family } = kernelRuleFor(distribution, kernel);
  const own = tcxKernels.find((row) => row.family === family && isSameUpstream(kernel, row.floor));
  const general = tcxKernels.find((row) => row.family === 'any');
  return kernelAtLeast(kernel, (own ?? general)?.floor ?? '');
}

function isSameUpstream(kernel: string, floor: string): boolean {
  const [one, other] = [parseKernel(kernel), parseKernel(floor)];
  return one !== null && other !== null && compareNumbers(one.upstream, other.upstream) === 0;
}

/** The kernel that eBPF mode needs on a node, and whether the node has it. */
export function kernelVerdict({
  distribution,
  kernel,
}: {
  distribution: { id: string };
  kernel: string;
}): FloorVerdict {
  const { floor } = kernelRuleFor(distribution, kernel);
  return { floor, has: kernelAtLeast(kernel, floor) };
}

/** A minimum, and whether a node has it; `undecided`: its reported version is not sufficient to decide. */
export type FloorVerdict = { readonly floor: string; readonly has: 'yes' | 'no' | 'undecided' };

/** The release number counts only if the floor has one and the upstream numbers are equal: 5.4.0-3 is newer than 4.18.0-193. */
export function kernelAtLeast(text: string, floor: string): 'yes' | 'no' | 'undecided' {
  const kernel = parseKernel(text);
  const wanted = parseKernel(floor);
  if (kernel === null || wanted === null) return 'undecided';
  const upstream = compareNumbers(kernel.upstream, wanted.upstream);
  if (upstream !== 0 || wanted.release.length === 0) return upstream >= 0 ? 'yes' : 'no';
  return compareNumbers(kernel.release, wanted.release) >= 0 ? 'yes' : 'no';
}
