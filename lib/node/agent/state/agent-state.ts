import { agreeing, counted } from '#lib/base/words.ts';
import type { ReadNode } from '#lib/kube/index.ts';
import type { SourceKind } from '../../source/source.ts';

/**
 * The state that `/healthz`, `/readyz`, `/status` and the metrics report. `pendingSince` is in ms of the monotonic clock, `lastSyncedAt` in ms since
 * 1970.
 */
export type AgentState = {
  readonly nodeName: string;
  /** The error of each kind whose objects cannot be read now. */
  readonly interrupted: ReadonlyMap<SourceKind, string>;
  readonly isSynced: boolean;
  readonly isAttached: boolean;
  readonly lastSyncedAt: number | null;
  /** The time of the oldest change that is not written yet; null if all are written. */
  readonly pendingSince: number | null;
  readonly lastFailure: string | null;
  readonly policies: number;
  readonly withoutPolicy: WithoutPolicy;
  readonly node: NodeEligibility;
};

/** `refuse`: the agent refuses to start where policies exist, because it enforces none. `understood`: it starts nevertheless. */
export type WithoutPolicy = 'refuse' | 'understood';

/** Whether load balancers may send new connections to the node. `unknown`: the API has not delivered the Node yet. */
export type NodeEligibility = 'eligible' | 'going' | 'unknown';

/**
 * A node that is being deleted, or that the cluster autoscaler is about to remove, must get no new connections while its existing ones continue
 * (KEP-3836; kubernetes pkg/proxy/healthcheck/proxy_health.go). `node` null: the Node object is gone.
 */
export function eligibilityOf(node: (ReadNode & { readonly isBeingDeleted: boolean }) | null): NodeEligibility {
  if (node === null || node.isBeingDeleted) return 'going';
  return node.spec.taints.some(({ key }) => key === 'ToBeDeletedByClusterAutoscaler') ? 'going' : 'eligible';
}

/** A change that waits longer makes the node unhealthy, as its services may be outdated (kube-proxy: twice its sync period). */
const longestPendingMs = 60_000;

/** Reasons why the services of this node are not reliable; empty if they are. */
export function notHealthy(state: AgentState, nowMs: number): string[] {
  const reasons: string[] = [];
  if (!state.isSynced) reasons.push('Not all Services are written yet.');
  if (!state.isAttached) reasons.push('The programs are not attached.');
  if (state.pendingSince !== null && nowMs - state.pendingSince > longestPendingMs)
    reasons.push(`Changes have waited for ${Math.round((nowMs - state.pendingSince) / 1000)} s to be written.`);
  return reasons;
}

/** Reasons why the node must not count as switched; empty if it may. */
export function notReady(state: AgentState, nowMs: number): string[] {
  const reasons = notHealthy(state, nowMs);
  if (state.withoutPolicy === 'refuse' && state.policies > 0)
    reasons.push(
      `Policy is not enforced, and there ${agreeing(state.policies, 'is', 'are')} ${counted(state.policies, 'policy or HostEndpoint', 'policies or HostEndpoints')}.`,
    );
  return reasons;
}

/** Whether load balancers may send new connections here: the answer of `:10256/healthz`. */
export function mayReceive(state: AgentState, nowMs: number): boolean {
  return state.node !== 'going' && notHealthy(state, nowMs).length === 0;
}
