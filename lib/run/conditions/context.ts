import type { Facts } from '#lib/facts/index.ts';
import type { Clock, Kube } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';
import type { NodeState } from '../event.ts';
import type { Progress } from '../progress.ts';

/** What an evaluation may use. Proofs are remembered between the ticks of one wait: a proven node is not read again. */
export type ConditionContext = {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  /** ms: when the run started. */
  runStartedAt: number;
  felixResource: Resource;
  /** By node: what was proven for this pod since this write. */
  proofs: Map<string, { of: string; state: NodeState }>;
  /** Facts read afresh, at most once a tick. */
  readFacts(): Promise<Facts>;
  /** Reads facts and runs one check again. */
  recheck(check: string): Promise<Progress>;
};
