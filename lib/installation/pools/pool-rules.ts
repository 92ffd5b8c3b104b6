import { type Cidr, cidrOfAddress, contains, formatCidr, overlaps, parseAddress, parseCidr } from '#lib/base/ip.ts';
import { isObjectName } from '#lib/base/object-names.ts';
import type { Pool } from '../installation-spec.ts';
import { blockSizes } from './block-sizes.ts';

/** The context in which pools are validated. Absent fields were not read, and their rules are skipped. */
export type PoolContext = {
  readonly cni?: string | undefined;
  /** Ranges that must contain the pools: kubeadm's podSubnet, OpenShift's clusterNetwork (calico.md §2.3). */
  readonly platformCIDRs?: readonly string[];
  /** Ranges that other components take for pods, e.g. the controllers' `--cluster-cidr`. */
  readonly podCIDRs?: readonly string[];
  readonly serviceCIDRs?: readonly string[];
  /** Known addresses of Services, used if their range is unknown. */
  readonly serviceAddresses?: readonly string[];
  readonly nodes?: readonly { readonly name: string; readonly addresses: readonly string[] }[];
  /** Number of nodes, each of which needs a block. */
  readonly nodeCount?: number;
};

export type ReadPool = {
  readonly pool: Pool;
  readonly index: number;
  readonly cidr: Cidr | null;
  readonly size: number;
};
type Found = { readonly at: ReadPool; readonly key: string; readonly words: string };

export type PoolRule = {
  /** `operator`: it refuses such pools (calico.md §2.3). `network`: it accepts them, but pods or nodes lose connectivity. */
  readonly by: 'operator' | 'network';
  readonly severity: 'error' | 'warning';
  check(pools: readonly ReadPool[], around: PoolContext): Found[];
};

const maxPools = 25;

/** Ranges that are unusable for pods. RFC 6890, RFC 5771, RFC 4291. */
const unusable: readonly { readonly cidr: string; readonly what: string }[] = [
  { cidr: '0.0.0.0/8', what: 'addresses that mean no host' },
  { cidr: '127.0.0.0/8', what: 'loopback addresses' },
  { cidr: '169.254.0.0/16', what: 'link-local addresses' },
  { cidr: '224.0.0.0/3', what: 'multicast and reserved addresses' },
  { cidr: '::/127', what: 'the unspecified and the loopback address' },
  { cidr: 'fe80::/10', what: 'link-local addresses' },
  { cidr: 'ff00::/8', what: 'multicast addresses' },
];

/** The name by which sentences call a pool. */
export const nameOf = ({ name, cidr }: Pool) => name ?? cidr;
const blocksIn = ({ cidr, size }: ReadPool): bigint =>
  cidr === null || size < cidr.prefix ? 0n : 1n << BigInt(size - cidr.prefix);

/** One row per rule. A pool with an invalid CIDR has only that problem. */
export const poolRules: readonly PoolRule[] = [
  {
    by: 'operator',
    severity: 'error',
    check: (pools) =>
      pools
        .slice(maxPools)
        .map((at) => ({ at, key: 'name', words: `is one too many: ${pools.length} pools, ${maxPools} are possible.` })),
  },
  {
    by: 'operator',
    severity: 'error',
    check: (pools) =>
      pools
        .filter(({ cidr }) => cidr === null)
        .map((at) => ({
          at,
          key: 'cidr',
          words: `"${at.pool.cidr.slice(0, 60)}" is not a CIDR; an address and a prefix length are needed, such as 10.48.0.0/16.`,
        })),
  },
  {
    by: 'network',
    severity: 'error',
    check: (pools) =>
      pools.flatMap((at) =>
        at.cidr === null || at.cidr.isExact
          ? []
          : [
              {
                at,
                key: 'cidr',
                words: `${at.pool.cidr} has bits beyond its prefix; the network is ${formatCidr(at.cidr)}.`,
              },
            ],
      ),
  },
  { by: 'operator', severity: 'error', check: (pools) => twice(pools, 'name', ({ name }) => name) },
  {
    by: 'network',
    severity: 'error',
    check: (pools) =>
      pools
        .filter(({ pool }) => pool.name !== undefined && !isObjectName(pool.name))
        .map((at) => ({
          at,
          key: 'name',
          words: `"${at.pool.name?.slice(0, 60)}" is not a name of an object: use small letters, digits, "-" and ".", with a letter or digit at both ends.`,
        })),
  },
  {
    by: 'operator',
    severity: 'error',
    check: (pools) => twice(pools, 'cidr', ({ cidr }) => cidr, 'CIDR'),
  },
  {
    by: 'operator',
    severity: 'error',
    check: (pools) =>
      pools.flatMap((at) => {
        if (at.cidr === null) return [];
        const { least, most } = blockSizes[at.cidr.family];
        return at.size < least || at.size > most
          ? [{ at, key: 'blockSize', words: `blockSize ${at.size} is not between ${least} and ${most}.` }]
          : [];
      }),
  },
  {
    by: 'operator',
    severity: 'error',
    check: (pools) =>
      pools.flatMap((at) =>
        at.cidr !== null && at.cidr.prefix > at.size
          ? [{ at, key: 'cidr', words: `${at.pool.cidr} is smaller than a block of /${at.size}.` }]
          : [],
      ),
  },
  {
    by: 'operator',
    severity: 'error',
    check: (pools) =>
      pools.flatMap((at) => {
        const { allowedUses = [], encapsulation, nodeSelector, disableBGPExport } = at.pool;
        if (!allowedUses.includes('LoadBalancer')) return [];
        const wrong: readonly [boolean, string, string][] = [
          [allowedUses.length > 1, 'allowedUses', 'LoadBalancer cannot be mixed with other uses.'],
          [
            (encapsulation || 'None') !== 'None',
            'encapsulation',
            `${encapsulation} is not possible for LoadBalancer addresses; None is.`,
          ],
          [
            (nodeSelector ?? 'all()') !== 'all()',
            'nodeSelector',
            'LoadBalancer addresses belong to no node: it must be all().',
          ],
          [disableBGPExport === true, 'disableBGPExport', 'is not possible for LoadBalancer addresses.'],
        ];
        return wrong.flatMap(([isWrong, key, words]) => (isWrong ? [{ at, key, words }] : []));
      }),
  },
  {
    by: 'operator',
    severity: 'error',
    check: (pools, { cni }) =>
      cni === undefined || cni === 'Calico'
        ? []
        : pools
            .filter(({ pool }) => (pool.nodeSelector ?? 'all()') !== 'all()')
            .map((at) => ({
              at,
              key: 'nodeSelector',
              words: `needs the Calico CNI; with ${cni} it must be all().`,
            })),
  },
  {
    by: 'operator',
    severity: 'error',
    check: (pools, { cni, platformCIDRs = [] }) => {
      if (platformCIDRs.length === 0 || (cni !== undefined && cni !== 'Calico')) return [];
      return outside(pools, platformCIDRs).map((at) => ({
        at,
        key: 'cidr',
        words: `${at.pool.cidr} is not within the platform's configured pod network, ${platformCIDRs.join(', ')}; the operator refuses it there.`,
      }));
    },
  },
  {
    by: 'network',
    severity: 'warning',
    check: (pools, { podCIDRs = [] }) =>
      podCIDRs.length === 0
        ? []
        : outside(pools, podCIDRs).map((at) => ({
            at,
            key: 'cidr',
            words: `${at.pool.cidr} is not within ${podCIDRs.join(', ')}, which this cluster takes for its pods' addresses. What relies on that range, such as a proxy's rules for traffic from outside, does not know these pods.`,
          })),
  },
  {
    by: 'network',
    severity: 'error',
    check: (pools) =>
      pools.flatMap((at) =>
        pools
          .slice(0, at.index)
          .filter((other) => isOverlap(at.cidr, other.cidr) && at.pool.cidr !== other.pool.cidr)
          .map((other) => ({
            at,
            key: 'cidr',
            words: `${at.pool.cidr} overlaps with pool ${nameOf(other.pool)} (${other.pool.cidr}): one address could be given to two pods.`,
          })),
      ),
  },
  {
    by: 'network',
    severity: 'error',
    check: (pools, { serviceCIDRs = [] }) =>
      pools.flatMap((at) =>
        serviceCIDRs
          .filter((services) => isOverlap(at.cidr, parseCidr(services)))
          .map((services) => ({
            at,
            key: 'cidr',
            words: `${at.pool.cidr} overlaps with the Services' ${services}: a pod and a Service could have the same address.`,
          })),
      ),
  },
  {
    by: 'network',
    severity: 'error',
    check: (pools, { serviceCIDRs = [], serviceAddresses = [] }) =>
      pools.flatMap((at) => {
        // If the range is known, an overlap with it is reported already.
        if (serviceCIDRs.some((services) => isOverlap(at.cidr, parseCidr(services)))) return [];
        const address = serviceAddresses.find((text) => {
          const parsed = parseAddress(text);
          return parsed !== null && isOverlap(at.cidr, cidrOfAddress(parsed));
        });
        return address === undefined
          ? []
          : [
              {
                at,
                key: 'cidr',
                words: `${at.pool.cidr} holds ${address}, the address of Service default/kubernetes: a pod and a Service could have the same address.`,
              },
            ];
      }),
  },
  {
    by: 'network',
    severity: 'error',
    check: (pools, { nodes = [] }) => {
      const addresses = addressesOf(nodes);
      return pools.flatMap((at) => {
        const inside = addresses.filter(({ cidr }) => isOverlap(at.cidr, cidr));
        const [first] = inside;
        if (first === undefined) return [];
        const more = inside.length > 1 ? ` and ${inside.length - 1} more` : '';
        return [
          {
            at,
            key: 'cidr',
            words: `${at.pool.cidr} holds ${first.text}, an address of node ${first.node}${more}: pods could be given the nodes' addresses, and nodes become unreachable.`,
          },
        ];
      });
    },
  },
  {
    by: 'network',
    severity: 'error',
    check: (pools) =>
      pools.flatMap((at) =>
        unusable
          .filter(({ cidr }) => isOverlap(at.cidr, parseCidr(cidr)))
          .map(({ cidr, what }) => ({ at, key: 'cidr', words: `${at.pool.cidr} overlaps with ${cidr}: ${what}.` })),
      ),
  },
  {
    by: 'network',
    severity: 'warning',
    check: (pools, { nodeCount = 0 }) =>
      ([4, 6] as const).flatMap((family) => {
        const forPods = pools.filter(
          ({ cidr, pool }) => cidr?.family === family && !pool.allowedUses?.includes('LoadBalancer'),
        );
        const [at] = forPods;
        const blocks = forPods.reduce((sum, one) => sum + blocksIn(one), 0n);
        if (at === undefined || blocks === 0n || blocks >= BigInt(nodeCount)) return [];
        return [
          {
            at,
            key: 'cidr',
            words: `holds ${blocks} ${blocks === 1n ? 'block' : 'blocks'} of /${at.size} for ${nodeCount} nodes: nodes without a block of their own take single addresses from others' blocks, each with a route of its own, until there are none. A larger range or a larger blockSize makes more.`,
          },
        ];
      }),
  },
];

type NodeAddress = { readonly node: string; readonly text: string; readonly cidr: Cidr };

/** Parsed addresses of nodes, cached because several ranges are compared with the same thousands of nodes. */
const known = new WeakMap<object, readonly NodeAddress[]>();

function addressesOf(nodes: NonNullable<PoolContext['nodes']>): readonly NodeAddress[] {
  const before = known.get(nodes);
  if (before) return before;
  const read = nodes.flatMap(({ name, addresses }) =>
    addresses.flatMap((text): NodeAddress[] => {
      const parsed = parseAddress(text);
      return parsed === null ? [] : [{ node: name, text, cidr: cidrOfAddress(parsed) }];
    }),
  );
  known.set(nodes, read);
  return read;
}

function twice(
  pools: readonly ReadPool[],
  key: 'name' | 'cidr',
  text: (pool: Pool) => string | undefined,
  called: string = key,
): Found[] {
  return pools
    .filter(
      ({ pool, index }) =>
        text(pool) !== undefined && pools.slice(0, index).some((other) => text(other.pool) === text(pool)),
    )
    .map((at) => ({ at, key, words: `${called} ${text(at.pool)} is used twice.` }));
}

function outside(pools: readonly ReadPool[], ranges: readonly string[]): ReadPool[] {
  const parsed = ranges.map(parseCidr).filter((range) => range !== null);
  return pools.filter(
    ({ cidr, pool }) =>
      cidr !== null && !pool.allowedUses?.includes('LoadBalancer') && !parsed.some((range) => contains(range, cidr)),
  );
}

function isOverlap(left: Cidr | null, right: Cidr | null): boolean {
  return left !== null && right !== null && overlaps(left, right);
}
