import type { Plan } from '#lib/plan/index.ts';
import type { NodeState } from './event.ts';
import { directionOf, type Journal } from './journal.ts';

/** `tookSeconds`: from the first sign of its move to its proof; null if it was proven at the first look, or is not proven. */
export type NodeTime = {
  name: string;
  state: NodeState['state'];
  dataplane: NodeState['dataplane'];
  detail: string;
  tookSeconds: number | null;
};

/** Each node as it was last seen in the run's direction, in the order of first mention. Empty for journals of earlier versions. */
export function nodeTimes(journal: Journal): NodeTime[] {
  const nodes = new Map<string, NodeTime>();
  const turned = journal.entries.findLastIndex(({ what }) => what === 'undo-asked');
  const from = directionOf(journal) === 'undo' ? turned : 0;
  for (const entry of journal.entries.slice(from)) {
    const seen = 'seen' in entry ? entry.seen : undefined;
    for (const [name, state, dataplane, moving, since, detail] of seen?.nodes ?? []) {
      const took = state === 'proven' && moving !== null ? moving - since : (nodes.get(name)?.tookSeconds ?? null);
      nodes.set(name, { name, state, dataplane, detail, tookSeconds: took });
    }
  }
  return [...nodes.values()];
}

/**
 * Nodes whose agents a run saw on eBPF. `at`: when the wait for them ended. `under`: the premises of the proof; absent in plans of earlier versions.
 * `endpoint`: the address that all agents had; null: not awaited.
 */
export type NodesProven = {
  run: string;
  at: string;
  nodes: ReadonlySet<string>;
  under: Plan['madeUnder'];
  endpoint: { host: string; port: string } | null;
};

/** What a run proved on its way forward, even if it was undone since. Null if it did not wait for nodes, or the user let it go on without them. Pure. */
export function nodesProvenBy(plan: Plan, { run, entries }: Journal): NodesProven | null {
  const waits = new Set(plan.operations.filter(({ id }) => id === 'bpf.active').map(({ seq }) => seq));
  const turned = entries.findIndex(({ what }) => what === 'undo-asked');
  const forward = turned < 0 ? entries : entries.slice(0, turned);
  const met = forward.find((entry) => isMet(entry) && waits.has(entry.seq));
  if (met === undefined) return null;
  const carried = plan.operations.flatMap(({ seq, done }) =>
    done.kind === 'endpoint-active' && forward.some((entry) => isMet(entry) && entry.seq === seq)
      ? [done.endpoint]
      : [],
  );
  const last = new Map<string, boolean>();
  for (const entry of forward.slice(0, forward.indexOf(met) + 1))
    for (const [name, state, dataplane] of ('seen' in entry ? entry.seen?.nodes : undefined) ?? [])
      last.set(name, state === 'proven' && dataplane === 'bpf');
  const nodes = new Set([...last].flatMap(([name, isProven]) => (isProven ? [name] : [])));
  return nodes.size === 0 ? null : { run, at: met.at, nodes, under: plan.madeUnder, endpoint: carried.at(-1) ?? null };
}

type Finished = Extract<Journal['entries'][number], { what: 'finished' }>;

function isMet(entry: Journal['entries'][number]): entry is Finished {
  return entry.what === 'finished' && entry.direction === 'forward' && entry.outcome === 'met';
}

/** Whether a run may have changed something. One that was stopped before its first act has not; later it may leave nodes on two releases. */
export function mayHaveActed({ state, entries }: Journal): boolean {
  return state.kind !== 'stopped' || entries.some(({ what }) => what === 'acted');
}
