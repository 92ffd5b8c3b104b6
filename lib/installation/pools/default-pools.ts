import { contains, formatCidr, overlaps, parseCidr } from '#lib/base/ip.ts';
import { cloudOf, type PlatformKind, runsAgent, wasRead } from '#lib/spec/index.ts';
import type { InstallationFacts } from '../installation-facts.ts';
import type { Pool } from '../installation-spec.ts';
import { blockSizes } from './block-sizes.ts';
import { poolProblems } from './pool-problems.ts';

export type PoolProposal = { readonly pools: readonly Pool[]; readonly because: string };

/** Ranges to try if the cluster fixes none; the release's default first (calico.md §2.3). */
const usualRanges = ['192.168.0.0/16', '172.16.0.0/16', '10.244.0.0/16', '10.48.0.0/16', '100.64.0.0/16'] as const;

/** IP pools for pods that Calico connects: the ranges that the cluster fixes, or else a free one (calico.md §2.3, §13 no. 7). */
export function defaultPools(facts: InstallationFacts, kind: PlatformKind): PoolProposal {
  const { ranges, because } = rangesFor(facts, kind);
  const tunnel = encapsulationFor(facts);
  const pools = ranges.map((cidr, index): Pool => {
    const isV6 = cidr.includes(':');
    const before = ranges.slice(0, index).filter((one) => one.includes(':') === isV6).length;
    return {
      name: `default-${isV6 ? 'ipv6' : 'ipv4'}-ippool${before > 0 ? `-${before}` : ''}`,
      cidr,
      encapsulation: tunnel.encapsulation,
      natOutgoing: isV6 && !isPrivateV6(cidr) ? 'Disabled' : 'Enabled',
      nodeSelector: 'all()',
      blockSize: blockSizes[isV6 ? 6 : 4].usual,
    };
  });
  return { pools, because: `${because} ${tunnel.because}` };
}

function rangesFor(facts: InstallationFacts, kind: PlatformKind): { ranges: readonly string[]; because: string } {
  const ranges = facts.cluster.podCIDRs.flatMap((text) => {
    const cidr = parseCidr(text);
    return cidr === null ? [] : [formatCidr(cidr)];
  });
  if (ranges.length > 0 && facts.cluster.podCIDRsFrom !== 'nodes')
    return {
      ranges: [...new Set(ranges)],
      because: `This cluster was made with ${ranges.join(' and ')} for its pods.`,
    };
  const inOrder = preferred(kind, ranges);
  const free = inOrder.find((cidr) => isFree(cidr, facts));
  const chosen = free ?? inOrder[0] ?? usualRanges[0];
  if (free === undefined)
    return {
      ranges: [chosen],
      because:
        'Nothing in the cluster says which range is for pods, and every usual one overlaps with Services or nodes: another is needed.',
    };
  const taken = inOrder.slice(0, inOrder.indexOf(free));
  return {
    ranges: [free],
    because:
      taken.length === 0
        ? `Nothing in the cluster says which range is for pods; this is the usual one, and it overlaps ${cleared(facts)}.`
        : `Nothing in the cluster says which range is for pods, and ${taken.join(' and ')} would overlap with Services or nodes.`,
  };
}

/** Words for what the range was compared with; if the Services' range is unknown, only their known addresses. */
function cleared(facts: InstallationFacts): string {
  const knowsServices = facts.cluster.serviceCIDRs.length > 0;
  if (!wasRead(facts, 'nodes'))
    return knowsServices
      ? 'not with Services; nodes were not read'
      : 'with nothing that is known; nodes were not read, and from which range Services get their addresses is not known';
  return knowsServices
    ? 'neither with Services nor with nodes'
    : 'with no node; from which range Services get their addresses is not known';
}

/** The ranges in order of preference: first the usual one that contains the nodes' podCIDRs. On EKS the operator prefers another (calico.md §2.3). */
function preferred(kind: PlatformKind, handedOut: readonly string[]): readonly string[] {
  const parsed = handedOut.map(parseCidr).filter((one) => one !== null);
  const rank = (cidr: string) => {
    const range = parseCidr(cidr);
    if (range !== null && parsed.some((one) => contains(range, one))) return 0;
    return kind === 'eks' && cidr === '172.16.0.0/16' ? 1 : 2;
  };
  return [...usualRanges].sort((a, b) => rank(a) - rank(b));
}

function isFree(cidr: string, { cluster, endpoint, nodes }: InstallationFacts): boolean {
  const { serviceCIDRs } = cluster;
  const problems = poolProblems([{ cidr }], { serviceCIDRs, serviceAddresses: endpoint.clusterIPs, nodes });
  return problems.every(({ severity }) => severity === 'warning');
}

/**
 * Nodes of one subnet need no encapsulation between them, unless the fabric drops packets with pods' addresses. IPIP is never proposed: clouds drop it, and it
 * has no advantage with eBPF (spec › Limits).
 */
function encapsulationFor(facts: InstallationFacts): {
  encapsulation: NonNullable<Pool['encapsulation']>;
  because: string;
} {
  const cloud = cloudOf(facts.nodes.filter(runsAgent)[0]?.providerID ?? null);
  if (cloud !== null && cloud.title !== 'vSphere')
    return {
      encapsulation: 'VXLAN',
      because: `VXLAN, as the network of ${cloud.title} drops packets with pods’ addresses unless each machine is allowed to forward.`,
    };
  return {
    encapsulation: 'VXLANCrossSubnet',
    because:
      'VXLANCrossSubnet wraps packets only between subnets; None is faster still, where the routers between nodes know the pods’ routes.',
  };
}

/** Whether the range has unique local addresses (RFC 4193), which are not routed on the internet. */
function isPrivateV6(cidr: string): boolean {
  const range = parseCidr(cidr);
  const local = parseCidr('fc00::/7');
  return range !== null && local !== null && overlaps(range, local);
}
