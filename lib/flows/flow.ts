/** What the network decided on connections that share their ends, port and policies, over some time: one record of Calico's flow logs. */
export type Flow = {
  /** Of these ends, port, verdict and policies in this bucket of time, whoever tells it: the same after a restart and over reconnects. */
  readonly id: string;
  /** Seconds since the epoch, by the aggregator's clock; `end` is the first second after it. */
  readonly start: number;
  readonly end: number;
  readonly verdict: Verdict;
  /** Which end of the connection told it: that agent's policies are those in `policies`. */
  readonly reporter: 'source' | 'destination';
  readonly from: FlowEnd;
  readonly to: FlowEnd;
  readonly protocol: string;
  /** 0 where the protocol has none. */
  readonly port: number;
  /** The Service that was dialled, where one was. */
  readonly service: { readonly namespace: string | null; readonly name: string; readonly portName: string } | null;
  readonly bytes: InOut;
  readonly packets: InOut;
  readonly connections: { readonly started: number; readonly completed: number; readonly live: number };
  readonly policies: { readonly enforced: readonly PolicyHit[]; readonly pending: readonly PolicyHit[] };
};

export const verdicts = ['allowed', 'denied', 'passed'] as const;
export type Verdict = (typeof verdicts)[number];

/** As the reporting end sees it: `in` came to it, `out` left it. */
export type InOut = { readonly in: number; readonly out: number };

/** `name`: pods of one owner as `checkout-7d9c6b8f5-*`; of a network `pub` or `pvt`. `namespace` is null where there is none. */
export type FlowEnd = {
  readonly kind: EndKind;
  readonly namespace: string | null;
  readonly name: string;
  readonly labels: readonly string[];
};

export const endKinds = ['workload', 'host', 'network-set', 'network'] as const;
export type EndKind = (typeof endKinds)[number];

/** A policy that was asked, in order. `action` null: not said. `ruleIndex` counts from 0; negative where no rule matched. */
export type PolicyHit = {
  readonly kind: PolicyKind;
  readonly namespace: string | null;
  readonly name: string;
  readonly tier: string;
  readonly action: Verdict | null;
  readonly policyIndex: number;
  readonly ruleIndex: number;
  /** Of an end of tier: the policy that selected the workload, so that the tier ended and did not pass. */
  readonly trigger: Omit<PolicyHit, 'trigger'> | null;
};

/** By their numbers on the wire (calico.md §6.3; 11 from v3.32 on, which no longer has 7 and 8). */
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

/** Also the end of a tier that a staged policy alone brought about: that is how one is told whose rules do not match. */
export function isStaged({ kind, trigger }: Pick<PolicyHit, 'kind' | 'trigger'>): boolean {
  return stagedKinds.includes(trigger?.kind ?? kind);
}

/** What an aggregator is asked about: seconds; `gte` 0: the oldest, `lt` 0: now; below 0 back from the aggregator's now, else since the epoch. */
export type TimeRange = { readonly gte: number; readonly lt: number };

/** Calico adds up flows in buckets of this (calico.md §6.3). */
export const bucketSeconds = 15;
/** They are told this late at most (calico.md §6.3). */
export const lateSeconds = 45;
/** An aggregator keeps flows this long (calico.md §6.3). */
export const historySeconds = 3600;
