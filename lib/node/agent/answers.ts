import type { Clock } from '#lib/kube/index.ts';
import type { HealthCheck } from '../services/service-table.ts';
import type { PacketCounts } from './packet-counts.ts';
import { type AgentState, mayReceive, notHealthy, notReady } from './state/agent-state.ts';

export type Answer = {
  readonly status: number;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

type Now = Pick<Clock, 'now' | 'monotonic'>;

const json = (status: number, value: unknown): Answer => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(value)}\n`,
});

const lines = (reasons: readonly string[], fine: readonly string[]): Answer => ({
  status: reasons.length === 0 ? 200 : 503,
  type: 'text/plain; charset=utf-8',
  body: `${(reasons.length === 0 ? fine : reasons).join('\n')}\n`,
});

export const notFound: Answer = { status: 404, type: 'text/plain; charset=utf-8', body: 'not found\n' };

/**
 * Answers `/healthz` and `/livez` at the port that load balancers probe, in kube-proxy's format (kubernetes pkg/proxy/healthcheck/proxy_health.go).
 * Other paths get 404.
 */
export function proxyAnswer(path: string, state: AgentState, clock: Now): Answer {
  const nowMs = clock.monotonic();
  const isFine =
    path === '/healthz' ? mayReceive(state, nowMs) : path === '/livez' ? notHealthy(state, nowMs).length === 0 : null;
  if (isFine === null) return notFound;
  const at = (ms: number) => new Date(ms).toISOString();
  return json(isFine ? 200 : 503, {
    lastUpdated: state.lastSyncedAt === null ? '' : at(state.lastSyncedAt),
    currentTime: at(clock.now()),
    nodeEligible: state.node !== 'going',
  });
}

/**
 * Answers `/healthz`, `/readyz`, `/status` and `/metrics` of the agent's own port; other paths get 404. `metrics`, `services` and `packets` are
 * called only for the paths that show them.
 */
export function agentAnswer(
  path: string,
  state: AgentState,
  clock: Now,
  {
    metrics,
    services,
    packets,
  }: { readonly metrics: () => string; readonly services: () => ServiceReport; readonly packets: () => PacketCounts },
): Answer {
  const nowMs = clock.monotonic();
  const policy = 'Policy is not enforced.';
  switch (path) {
    // Always healthy while the process answers: a restart by kubelet would not improve what the kernel does.
    case '/healthz':
      return lines([], ['ok']);
    case '/readyz':
      return lines(notReady(state, nowMs), ['ok', policy]);
    case '/status':
      return json(200, { ...statusOf(state, nowMs), packets: packets(), ...servicesOf(services()) });
    case '/metrics':
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: metrics() };
    default:
      return notFound;
  }
}

/** Counts of the known Services, and the reasons why some of them are not fully served. */
export type ServiceReport = {
  readonly counts: { readonly services: number; readonly fronts: number; readonly backends: number };
  readonly problems: readonly { readonly service: string; readonly text: string }[];
};

/** The most problems that `/status` lists; the metric counts all. */
const mostProblems = 100;

const servicesOf = ({ counts, problems }: ServiceReport) => ({
  services: counts.services,
  fronts: counts.fronts,
  backends: counts.backends,
  problemCount: problems.length,
  problems: problems.slice(0, mostProblems),
});

function statusOf(state: AgentState, nowMs: number) {
  return {
    node: state.nodeName,
    ready: notReady(state, nowMs).length === 0,
    because: notReady(state, nowMs),
    synced: state.isSynced,
    attached: state.isAttached,
    policy: 'not enforced',
    policies: state.policies,
    eligible: state.node,
    interrupted: Object.fromEntries(state.interrupted),
    lastSynced: state.lastSyncedAt === null ? null : new Date(state.lastSyncedAt).toISOString(),
    lastFailure: state.lastFailure,
  };
}

/** Answers at a Service's healthCheckNodePort: 200 if this node has ready backends of it (kubernetes pkg/proxy/healthcheck/service_health.go). */
export function serviceAnswer(check: HealthCheck, state: AgentState, clock: Now): Answer {
  const isHealthy = notHealthy(state, clock.monotonic()).length === 0;
  const answer = json(isHealthy && check.localReady > 0 ? 200 : 503, {
    service: { namespace: check.namespace, name: check.name },
    localEndpoints: check.localReady,
    serviceProxyHealthy: isHealthy,
  });
  return { ...answer, headers: { 'X-Load-Balancing-Endpoint-Weight': String(check.localReady) } };
}
