import type { ReadNode } from '#lib/kube/index.ts';
import type { SourceKind } from '../source/source.ts';

/** What the agent knows of itself. Times are ms of the monotonic clock, `…At` of the other one. */
export type AgentState = {
  readonly nodeName: string;
  /** Why a kind cannot be read now. */
  readonly interrupted: ReadonlyMap<SourceKind, string>;
  readonly isSynced: boolean;
  readonly isAttached: boolean;
  readonly lastSyncedAt: number | null;
  /** Since when something waits to be written; null: nothing does. */
  readonly pendingSince: number | null;
  readonly lastFailure: string | null;
  readonly policies: number;
  readonly withoutPolicy: WithoutPolicy;
  readonly node: NodeEligibility;
};

/** `refuse`: where there is a policy the agent does not go to work. `understood`: it does, and says that none is enforced. */
export type WithoutPolicy = 'refuse' | 'understood';

/** Whether load balancers may send to the node. `unknown`: the API has told nothing of it. */
export type NodeEligibility = 'eligible' | 'going' | 'unknown';

/**
 * A node that is being deleted, or about to be taken away by the autoscaler, is to get no new connections while those it has go on (KEP-3836; kubernetes
 * pkg/proxy/healthcheck/proxy_health.go). `node` null: it is gone.
 */
export function eligibilityOf(node: (ReadNode & { readonly isBeingDeleted: boolean }) | null): NodeEligibility {
  if (node === null || node.isBeingDeleted) return 'going';
  return node.spec.taints.some(({ key }) => key === 'ToBeDeletedByClusterAutoscaler') ? 'going' : 'eligible';
}

/** What is written must be written by then, or the node does not know the services any more (kube-proxy: twice its sync period). */
const longestPendingMs = 60_000;

/** Why services of this node are not to be relied on; empty: they are. */
export function notHealthy(state: AgentState, nowMs: number): string[] {
  const reasons: string[] = [];
  if (!state.isSynced) reasons.push('The services were not written completely yet.');
  if (!state.isAttached) reasons.push('The programs are not attached.');
  if (state.pendingSince !== null && nowMs - state.pendingSince > longestPendingMs)
    reasons.push(`Changes wait to be written since ${Math.round((nowMs - state.pendingSince) / 1000)} s.`);
  return reasons;
}

/** Why the node must not be counted as switched; empty: it may be. */
export function notReady(state: AgentState, nowMs: number): string[] {
  const reasons = notHealthy(state, nowMs);
  if (state.withoutPolicy === 'refuse' && state.policies > 0)
    reasons.push(`Policy is not enforced, and there are ${state.policies} policies or HostEndpoints.`);
  return reasons;
}

/** What may be told to load balancers at `:10256/healthz`. */
export function mayReceive(state: AgentState, nowMs: number): boolean {
  return state.node !== 'going' && notHealthy(state, nowMs).length === 0;
}
