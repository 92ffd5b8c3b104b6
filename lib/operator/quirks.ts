import { type EmulatedOperator, releaseOf } from './releases.ts';

type Version = readonly [number, number, number];

export type Quirk = {
  readonly id: string;
  /** What the public operator does wrong, in one sentence. */
  readonly fault: string;
  /** What ours does instead. */
  readonly ours: string;
  /** Operator versions; null = no bound is known. */
  readonly since: Version | null;
  readonly until: Version | null;
  /** Where it can be seen: recording and seconds; null where only controlplane.md reports it. */
  readonly seen: { readonly recording: string; readonly t: number } | null;
  /**
   * Decided by timing in the real one. `usual`: taken unless told otherwise; `rare`: only when asked for
   * (`races` of runOperator, `--with` and `--without` on the command line).
   */
  readonly race?: 'usual' | 'rare';
};

const enable = 'install-enable-rollback-3.31.4.jsonl';
const automatic = 'automatic-and-stuck-node-3.31.4.jsonl';
const endpoint = 'endpoint-configmap-3.31.4.jsonl';
const upgrade = 'upgrade-3.30.7-to-3.31.4.jsonl';

/** Recorded faults of the public operator, one a row. The code branches on nothing else: `quirks.has('…')`. */
export const quirkTable = [
  {
    id: 'switch-reads-old-status',
    fault:
      'The gate before bpfEnabled reads the DaemonSet as it was before its own change, so that all nodes flip before the rollout has begun.',
    ours: 'bpfEnabled follows only when the new generation is observed, updated and available on every node.',
    since: null,
    until: null,
    seen: { recording: enable, t: 53.68 },
    race: 'usual',
  },
  {
    id: 'switch-rechecked-late',
    fault: 'When the gate does meet the newer status, it is asked again only when TigeraStatus changes or after 30 s.',
    ours: 'Every change of the DaemonSet is a reason to look again.',
    since: null,
    until: null,
    seen: { recording: automatic, t: 125.71 },
  },
  {
    id: 'available-for-older-generation',
    fault:
      'TigeraStatus is recomputed every 5 s only, so that Available=True stays for the generation before the patch.',
    ours: 'The status is written as soon as a newer generation is seen.',
    since: null,
    until: null,
    seen: { recording: enable, t: 57.9 },
  },
  {
    id: 'available-during-rollout-after-restart',
    fault:
      'A restarted operator writes nothing but Degraded for four ticks: the Available=True of the process before it stands while nodes roll.',
    ours: 'The first look of a new process counts.',
    since: null,
    until: null,
    seen: { recording: upgrade, t: 71.17 },
  },
  {
    id: 'conditions-one-at-a-time',
    fault:
      'Each condition is a write of its own: Available is False while Degraded still speaks of an older generation.',
    ours: 'All conditions of a status change in one write.',
    since: null,
    until: null,
    seen: { recording: enable, t: 58.0 },
  },
  {
    id: 'unavailable-without-reason',
    fault: 'Available=False says reason Unknown and no message.',
    ours: 'Available=False says what is awaited.',
    since: null,
    until: null,
    seen: { recording: enable, t: 58.0 },
  },
  {
    id: 'waiting-is-degraded',
    fault:
      'What is normal for the first seconds (pools and defaults that are not there yet) is called Degraded (calico.md §4).',
    ours: 'It is Progressing.',
    since: null,
    until: null,
    seen: null,
  },
  {
    id: 'first-problem-only',
    fault: 'Of several invalid fields the first is told, under a reason that depends on where it was found.',
    ours: 'Every invalid field is named, always as InvalidConfigurationError.',
    since: null,
    until: null,
    seen: null,
  },
  {
    id: 'defaults-in-two-writes',
    fault: 'After an upgrade the new defaults are written back in two steps, each a new generation.',
    ours: 'One write.',
    since: [1, 40, 0],
    until: null,
    seen: { recording: upgrade, t: 68.17 },
  },
  {
    id: 'host-ports-written-back',
    fault: 'hostPorts: null in the switch patch is answered with Enabled 30 ms later.',
    ours: 'hostPorts gets its default with the iptables data plane only; null under BPF stays null.',
    since: [1, 31, 0],
    until: null,
    seen: { recording: enable, t: 53.38 },
  },
  {
    id: 'nftables-first',
    fault:
      'nftablesMode flips before the first new pod exists: every agent restarts in nftables mode for the length of the rollout.',
    ours: 'nftablesMode changes in the same write as bpfEnabled.',
    since: [1, 40, 0],
    until: null,
    seen: { recording: enable, t: 53.58 },
  },
  {
    id: 'bpf-before-first-agent',
    fault: 'On a fresh installation bpfEnabled is true before the DaemonSet exists.',
    ours: 'bpfEnabled follows the first complete rollout.',
    since: null,
    until: null,
    seen: { recording: automatic, t: 6.16 },
  },
  {
    id: 'proxy-off-before-first-agent',
    fault: 'Automatic mode turns kube-proxy off before the first agent exists: no services for 3 s and more.',
    ours: 'kube-proxy goes only when eBPF is on and every agent is ready.',
    since: [1, 40, 0],
    until: null,
    seen: { recording: automatic, t: 6.17 },
  },
  {
    id: 'bpf-off-before-proxy-is-back',
    fault: 'On the way back bpfEnabled is false seconds before the first kube-proxy pod is ready.',
    ours: 'kube-proxy is brought back first, and ready on all nodes, before bpfEnabled is false.',
    since: null,
    until: null,
    seen: { recording: enable, t: 144.48 },
  },
  {
    id: 'raw-format-verb',
    fault: 'A refused bpfNetworkBootstrap ends in a raw %!w(<nil>).',
    ours: 'A sentence that names the field and what is missing.',
    since: [1, 40, 0],
    until: null,
    seen: { recording: enable, t: 223.05 },
  },
  {
    id: 'bootstrap-checked-late',
    fault: 'bpfNetworkBootstrap is refused only after nftablesMode was switched for it.',
    ours: 'What is refused changes nothing.',
    since: [1, 40, 0],
    until: null,
    seen: { recording: enable, t: 218.89 },
  },
  {
    id: 'endpoint-deletion-ignored',
    fault: 'Deleting the endpoint ConfigMap has no effect until the operator restarts: the old value stays in memory.',
    ours: 'The deletion is honoured at once.',
    since: null,
    until: null,
    seen: { recording: endpoint, t: 144.31 },
  },
  {
    id: 'kubeproxy-monitor-lingers',
    fault:
      'With management Disabled, TigeraStatus kubeproxy-monitor first stays as Available=False, reason Unknown, and is gone up to 5 s later.',
    ours: 'It is deleted at once.',
    since: [1, 40, 0],
    until: null,
    seen: { recording: automatic, t: 99.31 },
  },
  {
    id: 'awaited-node-not-named',
    fault: 'A rollout that stands still says "0 out of 4 updated" and names no node.',
    ours: 'Progressing names the node that is awaited, and why.',
    since: null,
    until: null,
    seen: { recording: automatic, t: 127.16 },
  },
  {
    id: 'version-flicker',
    fault: 'When calicoVersion first appears, two writers set and unset it for 0.3 s.',
    ours: 'One writer.',
    since: null,
    until: null,
    seen: { recording: endpoint, t: 12.42 },
    race: 'usual',
  },
  {
    id: 'default-status-conflict',
    fault:
      'The first write of the status loses against the operator itself: Degraded "Failed to write default status" for 5 s.',
    ours: 'A conflict is read again and repeated.',
    since: null,
    until: null,
    seen: { recording: upgrade, t: 11.62 },
    race: 'rare',
  },
  {
    id: 'ippools-need-every-api',
    fault:
      'With APIServer/default and an aggregated API that cannot be reached, ippools is Degraded although the pools are fine.',
    ours: 'Only APIs that the pools need are asked for.',
    since: null,
    until: null,
    seen: null,
  },
] as const satisfies readonly Quirk[];

export type QuirkId = (typeof quirkTable)[number]['id'];

export type Races = { with?: readonly QuirkId[]; without?: readonly QuirkId[] };

export type Quirks = { has(id: QuirkId): boolean; readonly ids: readonly QuirkId[] };

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The rows that are on. `races` decides only rows that are races; naming another row there is refused. */
export function quirksOf(like: EmulatedOperator, races: Races = {}): Quirks {
  const rows: readonly (Quirk & { id: QuirkId })[] = quirkTable;
  for (const id of [...(races.with ?? []), ...(races.without ?? [])]) {
    if (!rows.some((row) => row.id === id && row.race))
      throw new Error(`quirk ${id} is not a race: it is on or off with the release that is emulated`);
  }
  const version = releaseOf(like).operator;
  const on = new Set<QuirkId>();
  if (like !== 'signalbox') {
    for (const row of rows) {
      const applies =
        (!row.since || compare(version, row.since) >= 0) && (!row.until || compare(version, row.until) < 0);
      const taken = row.race === 'rare' ? races.with?.includes(row.id) : !races.without?.includes(row.id);
      if (applies && taken) on.add(row.id);
    }
  }
  return { has: (id) => on.has(id), ids: [...on] };
}

/** Races by name, as flags give them: `a,b`. Answers the word that is none. */
export function racesNamed(text: string): { ids: QuirkId[] } | { unknown: string } {
  const rows: readonly (Quirk & { id: QuirkId })[] = quirkTable;
  const ids: QuirkId[] = [];
  for (const word of text.split(',').filter((part) => part !== '')) {
    const row = rows.find((one) => one.id === word && one.race);
    if (!row) return { unknown: word };
    ids.push(row.id);
  }
  return { ids };
}
