import type { ServiceTable } from '../services/service-table.ts';
import type { SyncReport } from '../sync/keep-in-sync.ts';
import type { PacketCounts } from './packet-counts.ts';
import { type AgentState, notReady } from './state/agent-state.ts';

/** In seconds. A sync of one change takes less than a millisecond, one of everything less than a second. */
const buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5] as const;

/** Counts of syncs since the process began. */
export class SyncCounts {
  readonly #upTo = buckets.map(() => 0);
  #syncs = 0;
  #seconds = 0;
  writes = 0;
  failures = 0;

  add({ writes, ms }: SyncReport): void {
    const seconds = ms / 1000;
    this.#syncs++;
    this.#seconds += seconds;
    this.writes += writes;
    buckets.forEach((bucket, index) => {
      if (seconds <= bucket) this.#upTo[index] = (this.#upTo[index] ?? 0) + 1;
    });
  }

  lines(name: string): string[] {
    return [
      ...buckets.map((bucket, index) => `${name}_bucket{le="${bucket}"} ${this.#upTo[index]}`),
      `${name}_bucket{le="+Inf"} ${this.#syncs}`,
      `${name}_sum ${this.#seconds}`,
      `${name}_count ${this.#syncs}`,
    ];
  }
}

/** The metrics in Prometheus' text format 0.0.4. Their names are a contract: add, never rename. */
export function metricsText(
  state: AgentState,
  table: Pick<ServiceTable, 'counts' | 'problems'>,
  counts: SyncCounts,
  removedFlows: Readonly<Record<string, number>>,
  packets: PacketCounts,
  nowMs: number,
): string {
  const { services, fronts, backends } = table.counts;
  const gauge = (name: string, help: string, value: number) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    `${name} ${value}`,
  ];
  const counter = (name: string, help: string, value: number) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    `${name} ${value}`,
  ];
  const seconds = 'signalbox_node_sync_duration_seconds';
  const removed = 'signalbox_node_flows_removed_total';
  const became = 'signalbox_node_packets_total';
  return `${[
    ...gauge('signalbox_node_ready', 'Whether /readyz answers 200.', Number(notReady(state, nowMs).length === 0)),
    ...gauge('signalbox_node_synced', 'Whether all Services were written at least once.', Number(state.isSynced)),
    ...gauge('signalbox_node_attached', 'Whether the programs are attached.', Number(state.isAttached)),
    ...gauge('signalbox_node_policy_enforced', 'Whether network policy is enforced: it is not.', 0),
    ...gauge('signalbox_node_policies', 'Policies and HostEndpoints in the API.', state.policies),
    ...gauge('signalbox_node_services', 'Services that are known.', services),
    ...gauge('signalbox_node_fronts', 'Addresses with ports that are answered.', fronts),
    ...gauge('signalbox_node_backends', 'Slots of backends.', backends),
    ...gauge('signalbox_node_service_problems', 'What of Services is not done.', table.problems().length),
    ...gauge('signalbox_node_sources_interrupted', 'Kinds that cannot be read now.', state.interrupted.size),
    ...gauge(
      'signalbox_node_last_sync_timestamp_seconds',
      'When all was written last.',
      (state.lastSyncedAt ?? 0) / 1000,
    ),
    ...counter('signalbox_node_sync_writes_total', 'Writes to maps.', counts.writes),
    ...counter('signalbox_node_sync_failures_total', 'Plans that the kernel refused.', counts.failures),
    `# HELP ${removed} Entries of flows that were taken out: over by their kind, or to a backend that went.`,
    `# TYPE ${removed} counter`,
    ...Object.entries(removedFlows).map(([because, count]) => `${removed}{because="${because}"} ${count}`),
    `# HELP ${became} What became of packets, by interface; of connections at the socket as host.`,
    `# TYPE ${became} counter`,
    ...Object.entries(packets).flatMap(([name, counts]) =>
      Object.entries(counts).map(([outcome, count]) => `${became}{interface="${name}",outcome="${outcome}"} ${count}`),
    ),
    `# HELP ${seconds} How long a plan and its writes took.`,
    `# TYPE ${seconds} histogram`,
    ...counts.lines(seconds),
  ].join('\n')}\n`;
}
