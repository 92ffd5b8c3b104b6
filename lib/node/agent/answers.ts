import type { Clock } from '#lib/kube/index.ts';
import type { HealthCheck } from '../services/service-table.ts';
import { type AgentState, mayReceive, notHealthy, notReady } from './agent-state.ts';
import type { PacketCounts } from './packet-counts.ts';

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

/** `/healthz` and `/livez` of the port that load balancers ask, in kube-proxy's own form (kubernetes pkg/proxy/healthcheck/proxy_health.go). */
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

/** `/healthz`, `/readyz` and `/status` of the agent's own port. `metrics`, `services` and `packets` are asked for when they are needed. */
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
    // The process lives as long as it answers: to end it would take nothing off the kernel, and help nobody.
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

/** What became of the Services that are known. */
export type ServiceReport = {
  readonly counts: { readonly services: number; readonly fronts: number; readonly backends: number };
  readonly problems: readonly { readonly service: string; readonly text: string }[];
};

/** Of what is not done as much as anybody reads; the metric counts all of it. */
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

/** At a Service's healthCheckNodePort: whether this node has ready backends of it (kubernetes pkg/proxy/healthcheck/service_health.go). */
export function serviceAnswer(check: HealthCheck, state: AgentState, clock: Now): Answer {
  const isHealthy = notHealthy(state, clock.monotonic()).length === 0;
  const answer = json(isHealthy && check.localReady > 0 ? 200 : 503, {
    service: { namespace: check.namespace, name: check.name },
    localEndpoints: check.localReady,
    serviceProxyHealthy: isHealthy,
  });
  return { ...answer, headers: { 'X-Load-Balancing-Endpoint-Weight': String(check.localReady) } };
}
