import { bucketSeconds, type Flow, isStaged, type PolicyHit } from '../flow.ts';

/** By the number on the wire (calico.md §6.3). */
export const statisticTypes = ['packets', 'bytes', 'liveConnections'] as const;
export const statisticGroups = ['policy', 'rule'] as const;

export type StatisticsQuestion = {
  readonly type: (typeof statisticTypes)[number];
  readonly groupBy: (typeof statisticGroups)[number];
  /** Whether the answer has one number per bucket, or one for the whole time. */
  readonly series: 'buckets' | 'whole';
};

export type PolicyStatistics = {
  readonly policy: Omit<PolicyHit, 'trigger'>;
  readonly direction: 'any' | 'ingress' | 'egress';
  readonly type: StatisticsQuestion['type'];
  readonly groupBy: StatisticsQuestion['groupBy'];
  /** The start of each bucket in seconds since the epoch; empty for the whole time. */
  readonly at: readonly number[];
  readonly allowed: Counts;
  readonly denied: Counts;
  readonly passed: Counts;
};
type Counts = { readonly in: readonly number[]; readonly out: readonly number[] };

/** What each policy, or each rule, did with the flows of some buckets. `starts`: the start of every bucket that was asked for. */
export function statisticsOf(
  flows: readonly Omit<Flow, 'id'>[],
  starts: readonly number[],
  question: StatisticsQuestion,
): PolicyStatistics[] {
  const { type, groupBy, series } = question;
  const size = series === 'buckets' ? starts.length : 1;
  const first = starts[0] ?? 0;
  const found = new Map<
    string,
    PolicyStatistics & Record<'allowed' | 'denied' | 'passed', { in: number[]; out: number[] }>
  >();
  for (const flow of flows) {
    const direction = flow.reporter === 'source' ? ('egress' as const) : ('ingress' as const);
    const bucket = series === 'buckets' ? Math.round((flow.start - first) / bucketSeconds) : 0;
    // Of pending policies only staged ones count: enforced policies are in both lists and must count once.
    const hits = [...flow.policies.enforced, ...flow.policies.pending.filter(isStaged)];
    for (const { trigger, ...own } of hits) {
      // A hit of a tier's end counts for the policy that caused it.
      const hit = trigger === null ? own : { ...trigger, action: own.action, ruleIndex: own.ruleIndex };
      const policy = groupBy === 'rule' ? hit : { ...hit, action: null, ruleIndex: 0, policyIndex: 0 };
      const grouped = groupBy === 'rule' ? direction : ('any' as const);
      const { kind, namespace, name, tier, action, ruleIndex } = policy;
      const key = JSON.stringify([kind, namespace, name, tier, action, ruleIndex, grouped]);
      const none = () => ({ in: new Array<number>(size).fill(0), out: new Array<number>(size).fill(0) });
      const row = found.get(key) ?? {
        policy,
        direction: grouped,
        type,
        groupBy,
        at: series === 'buckets' ? [...starts] : [],
        allowed: none(),
        denied: none(),
        passed: none(),
      };
      found.set(key, row);
      const counts = row[hit.action ?? flow.verdict];
      const counted = type === 'liveConnections' ? { in: flow.connections.live, out: 0 } : flow[type];
      counts.in[bucket] = (counts.in[bucket] ?? 0) + counted.in;
      counts.out[bucket] = (counts.out[bucket] ?? 0) + counted.out;
    }
  }
  return [...found.values()];
}
