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
    ...gauge(
      'signalbox_node_ready',
      '1 while /readyz answers 200, else 0.',
      Number(notReady(state, nowMs).length === 0),
    ),
    ...gauge('signalbox_node_synced', '1 once all Services were written to the maps.', Number(state.isSynced)),
    ...gauge('signalbox_node_attached', '1 while all programs are attached, else 0.', Number(state.isAttached)),
    ...gauge('signalbox_node_policy_enforced', 'Always 0: network policy is not enforced.', 0),
    ...gauge('signalbox_node_policies', 'Network policies and HostEndpoints that the agent has read.', state.policies),
    ...gauge('signalbox_node_services', 'Services that the agent has read.', services),
    ...gauge('signalbox_node_fronts', 'Addresses with ports that this node answers.', fronts),
    ...gauge('signalbox_node_backends', 'Places of backends in the maps.', backends),
    ...gauge(
      'signalbox_node_service_problems',
      'Parts of Services that this node does not serve.',
      table.problems().length,
    ),
    ...gauge(
      'signalbox_node_sources_interrupted',
      'Kinds of objects that the agent cannot read now.',
      state.interrupted.size,
    ),
    ...gauge(
      'signalbox_node_last_sync_timestamp_seconds',
      'Time of the last complete write to the maps.',
      (state.lastSyncedAt ?? 0) / 1000,
    ),
    ...counter('signalbox_node_sync_writes_total', 'Writes to the maps.', counts.writes),
    ...counter('signalbox_node_sync_failures_total', 'Updates of the maps that the kernel refused.', counts.failures),
    `# HELP ${removed} Entries of flows removed from the maps, by reason.`,
    `# TYPE ${removed} counter`,
    ...Object.entries(removedFlows).map(([because, count]) => `${removed}{because="${because}"} ${count}`),
    `# HELP ${became} Packets by interface and outcome; interface=host counts connections at sockets.`,
    `# TYPE ${became} counter`,
    ...Object.entries(packets).flatMap(([name, counts]) =>
      Object.entries(counts).map(([outcome, count]) => `${became}{interface="${name}",outcome="${outcome}"} ${count}`),
    ),
    `# HELP ${seconds} Duration of an update of the maps.`,
    `# TYPE ${seconds} histogram`,
    ...counts.lines(seconds),
  ].join('\n')}\n`;
}
