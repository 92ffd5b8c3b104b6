/** One record of Calico's flow logs: the network's decision on connections that share ends, port and policies, over some time. */
export type Flow = {
  /** Identifies the flow's ends, port, verdict, policies and bucket of time. It stays the same after a restart and across reconnects. */
  readonly id: string;
  /** In seconds since the epoch by the aggregator's clock; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly verdict: Verdict;
  /** The end of the connection that reported the flow. `policies` are those of its node's agent. */
  readonly reporter: 'source' | 'destination';
  readonly from: FlowEnd;
  readonly to: FlowEnd;
  readonly protocol: string;
  /** 0 if the protocol has no ports. */
  readonly port: number;
  /** The Service that the client called; null without one. */
  readonly service: { readonly namespace: string | null; readonly name: string; readonly portName: string } | null;
  readonly bytes: InOut;
  readonly packets: InOut;
  readonly connections: { readonly started: number; readonly completed: number; readonly live: number };
  readonly policies: { readonly enforced: readonly PolicyHit[]; readonly pending: readonly PolicyHit[] };
};

export const verdicts = ['allowed', 'denied', 'passed'] as const;
export type Verdict = (typeof verdicts)[number];

/** As the reporting end sees it: `in` arrived there, `out` left it. */
type InOut = { readonly in: number; readonly out: number };

/** `name` of pods of one owner is `checkout-7d9c6b8f5-*`; of a network `pub` or `pvt`. `namespace` is null for ends without one. */
export type FlowEnd = {
  readonly kind: EndKind;
  readonly namespace: string | null;
  readonly name: string;
  readonly labels: readonly string[];
};

export const endKinds = ['workload', 'host', 'network-set', 'network'] as const;
export type EndKind = (typeof endKinds)[number];

/** A policy that was evaluated, in order. `action` null: unknown. `ruleIndex` counts from 0 and is negative if no rule matched. */
export type PolicyHit = {
  readonly kind: PolicyKind;
  readonly namespace: string | null;
  readonly name: string;
  readonly tier: string;
  readonly action: Verdict | null;
  readonly policyIndex: number;
  readonly ruleIndex: number;
  /** For an end of tier: the policy that selected the workload, which is why the tier ended instead of passing. */
  readonly trigger: Omit<PolicyHit, 'trigger'> | null;
};

/** In the order of their numbers on the wire (calico.md §6.3; 11 since v3.32, which no longer has 7 and 8). */
export const policyKinds = [
  'Unknown',
  'CalicoNetworkPolicy',
  'GlobalNetworkPolicy',
  'StagedNetworkPolicy',
  'StagedGlobalNetworkPolicy',
  'StagedKubernetesNetworkPolicy',
  'NetworkPolicy',
  'AdminNetworkPolicy',
  'BaselineAdminNetworkPolicy',
  'Profile',
  'EndOfTier',
  'ClusterNetworkPolicy',
] as const;
export type PolicyKind = (typeof policyKinds)[number];

const stagedKinds: readonly PolicyKind[] = [
  'StagedNetworkPolicy',
  'StagedGlobalNetworkPolicy',
  'StagedKubernetesNetworkPolicy',
];

/**
 * Whether a hit is of a staged policy, or of the end of a tier that only a staged policy caused: a staged policy without a matching rule is reported
 * so.
 */
export function isStaged({ kind, trigger }: Pick<PolicyHit, 'kind' | 'trigger'>): boolean {
  return stagedKinds.includes(trigger?.kind ?? kind);
}

/**
 * A time range for an aggregator, in seconds. `gte` 0 means the oldest, `lt` 0 means now; negative values count back from the aggregator's now,
 * positive ones from the epoch.
 */
export type TimeRange = { readonly gte: number; readonly lt: number };

/** Calico sums up flows in buckets of this length (calico.md §6.3). */
export const bucketSeconds = 15;
/** The longest delay after which a bucket is sent (calico.md §6.3). */
export const lateSeconds = 45;
/** The time for which an aggregator keeps flows (calico.md §6.3). */
export const historySeconds = 3600;
