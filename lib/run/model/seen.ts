import type { EventBody, NodeState } from './event.ts';
import { directionOf, type Entry, type Journal } from './journal.ts';
import { isOnItsWay } from './on-its-way.ts';
import { mostSeconds, type Seen } from './seen-schema.ts';

type NodeEvent = Extract<EventBody, { event: 'node' }>;
type ConditionEvent = Extract<EventBody, { event: 'condition' }>;

/** In a cluster with more nodes than this, proven nodes are stored without a detail, as theirs are all alike, and only this many others have one. */
const mostDetails = 300;

const mostLetters = 120;

/** Number of changes of conditions that are kept: they flap, and are for people only. */
const mostConditions = 200;

/** An object is limited to 1 MiB, and this one also contains a plan of 200 KiB and a pause's subjects. */
const journalBytes = 600 * 1024;

/** `recorded`: what the journal contains about the node; null: nothing yet. */
type NodeSeen = {
  node: NodeState;
  movingMs: number | null;
  sinceMs: number;
  recorded: { sinceMs: number; detail: string } | null;
};

/** Collects what was observed of nodes and conditions since `take` was last called. */
export class SeenSince {
  private readonly nodes = new Map<string, NodeSeen>();
  private readonly moved = new Set<string>();
  private conditions: { atMs: number; data: ConditionEvent['data'] }[] = [];

  /** `journal`: of a run that another process carried before. What it contains is not recorded again. */
  constructor(journal?: Journal) {
    for (const { seen, atMs } of journal ? seenOnTheWay(journal) : [])
      for (const [name, state, dataplane, moving, since, detail] of seen.nodes) {
        const sinceMs = atMs - since * 1000;
        const movingMs = moving === null || state === 'proven' ? null : atMs - moving * 1000;
        const node: NodeState = { name, state, dataplane, detail, evidence: [] };
        this.nodes.set(name, { node, movingMs, sinceMs, recorded: { sinceMs, detail } });
      }
  }

  node(node: NodeState, atMs: number): void {
    const known = this.nodes.get(node.name);
    const isSame = known?.node.state === node.state && known.node.dataplane === node.dataplane;
    const movingMs = isOnItsWay(node)
      ? (known?.movingMs ?? atMs)
      : node.state === 'waiting'
        ? null
        : (known?.movingMs ?? null);
    const sinceMs = isSame ? known.sinceMs : atMs;
    this.nodes.set(node.name, { node, movingMs, sinceMs, recorded: known?.recorded ?? null });
    this.moved.add(node.name);
  }

  condition(data: ConditionEvent['data'], atMs: number): void {
    this.conditions = [...this.conditions.slice(1 - mostConditions), { atMs, data }];
  }

  /** Adds what was seen so far to an entry that closes a part of the timeline. */
  with(entry: Entry): Entry {
    if (entry.what !== 'finished' && entry.what !== 'paused' && entry.what !== 'ended') return entry;
    const seen = this.take(Date.parse(entry.at));
    return seen === undefined ? entry : { ...entry, seen };
  }

  /** Undefined if nothing was seen since. `atMs`: time of the entry. */
  take(atMs: number): Seen | undefined {
    const before = (ms: number) => Math.min(mostSeconds, Math.round(Math.max(0, atMs - ms) / 1000));
    const isLarge = this.nodes.size > mostDetails;
    const nodes: Seen['nodes'] = [];
    let detailsLeft = mostDetails;
    for (const name of this.moved) {
      const seen = this.nodes.get(name);
      if (!seen) continue;
      const { node, movingMs, sinceMs, recorded } = seen;
      const detail = detailsLeft === 0 || (isLarge && node.state === 'proven') ? '' : cut(node.detail);
      const isSameDetail = recorded?.detail === detail || (isLarge && (detail === '' || recorded?.detail === ''));
      if (recorded?.sinceMs === sinceMs && isSameDetail) continue;
      if (detail !== '') detailsLeft--;
      nodes.push([
        name,
        node.state,
        node.dataplane,
        movingMs === null ? null : before(movingMs),
        before(sinceMs),
        detail,
      ]);
      this.nodes.set(name, { ...seen, recorded: { sinceMs, detail } });
    }
    const conditions = this.conditions.map(({ atMs: ms, data: { object, type, status, message } }) => ({
      before: before(ms),
      object,
      type,
      status,
      message: message === null ? null : cut(message),
    }));
    this.moved.clear();
    this.conditions = [];
    for (const [name, seen] of this.nodes)
      if (seen.node.state === 'proven') this.nodes.set(name, { ...seen, movingMs: null });
    return nodes.length + conditions.length === 0 ? undefined : { nodes, conditions };
  }
}

function cut(text: string): string {
  return text.length <= mostLetters ? text : `${text.slice(0, mostLetters - 1)}…`;
}

/** What a journal has seen in the run's direction, each with the time of its entry. */
function seenOnTheWay(journal: Journal): { seen: Seen; atMs: number }[] {
  const turned = journal.entries.findLastIndex(({ what }) => what === 'undo-asked');
  return journal.entries.slice(directionOf(journal) === 'undo' ? turned : 0).flatMap((entry) => {
    const atMs = timeOf(entry.at);
    return 'seen' in entry && entry.seen && atMs !== null ? [{ seen: entry.seen, atMs }] : [];
  });
}

/** In ms. Null if it is no time: anybody who may write ConfigMaps can put any text there. */
function timeOf(at: string): number | null {
  const ms = Date.parse(at);
  return ms >= 0 ? ms : null;
}

/**
 * A journal that fits into its object: if it is too long, observations are dropped, those of the oldest entries first. Without room a run could be
 * neither carried on nor accepted. Pure.
 */
export function withRoom(journal: Journal): Journal {
  let over = bytesOf(journal) - journalBytes;
  if (over <= 0) return journal;
  const entries = journal.entries.map((entry): Entry => {
    if (over <= 0 || !('seen' in entry)) return entry;
    const { seen, ...rest } = entry;
    over -= bytesOf(seen);
    return rest;
  });
  return { ...journal, entries };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

export type SeenEvent = { at: string; body: NodeEvent | ConditionEvent };

const provenAs = { bpf: 'eBPF is proven', standard: 'the standard data plane is proven' } as const;

/** Observations as events, oldest first, so that a page that is opened later shows what earlier pages saw. Empty if `at` is no time. */
export function eventsOfSeen({ nodes, conditions }: Seen, at: string): SeenEvent[] {
  const atMs = timeOf(at);
  if (atMs === null) return [];
  const ago = (seconds: number) => new Date(atMs - seconds * 1000).toISOString();
  const events = [
    ...nodes.flatMap(([name, state, dataplane, moving, since, detail]): SeenEvent[] => {
      const node = (data: Pick<NodeState, 'state' | 'dataplane' | 'detail'>): NodeEvent => ({
        event: 'node',
        data: { name, evidence: [], ...data },
      });
      const detailShown =
        detail === '' && state === 'proven' ? (dataplane === null ? 'proven' : provenAs[dataplane]) : detail;
      return [
        ...(moving === null
          ? []
          : [{ at: ago(moving), body: node({ state: 'restarting', dataplane: null, detail: '' }) }]),
        { at: ago(since), body: node({ state, dataplane, detail: detailShown }) },
      ];
    }),
    ...conditions.map(({ before, ...data }): SeenEvent => ({ at: ago(before), body: { event: 'condition', data } })),
  ];
  return events.sort((one, other) => one.at.localeCompare(other.at));
}
