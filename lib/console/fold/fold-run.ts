import type { RunLine } from '#lib/run/index.ts';
import { isOnItsWay } from '#lib/run/model/on-its-way.ts';
import type { LogLine, RunNode, RunNow, RunStreamEvent, RunView } from './view.ts';

type EventOf<Kind extends RunStreamEvent['event']> = Extract<RunStreamEvent, { event: Kind }>;

/** Number of log lines that a page keeps; older ones are in the report. */
const mostLogLines = 500;

/** A run's view after one more event. An event that the view contains already changes nothing, so that an overlap after a reconnect is harmless. Pure. */
export function foldRun(view: RunView, event: RunStreamEvent): RunView {
  if (event.event === 'snapshot') return event.data;
  if (event.event === 'heartbeat' || event.event === 'end') return view;
  // Sent even before there is a view, and then without an id.
  if (event.event === 'stale') return { ...view, revision: Math.max(view.revision, event.id), stale: event.data };
  if (event.id <= view.revision) return view;
  const seen = { ...view, revision: event.id };
  switch (event.event) {
    case 'operation':
      return afterOperation(seen, event);
    case 'node':
      return afterNode(seen, event);
    case 'condition':
      return afterCondition(seen, event);
    case 'services':
      return { ...seen, services: event.data };
    case 'log':
      return logged(seen, event, 'plain', event.data.message);
    case 'problem':
      return logged(
        { ...seen, problem: event.data, now: null },
        event,
        event.data.code === 'asked' ? 'warn' : 'bad',
        event.data.message,
      );
  }
}

function afterOperation(view: RunView, event: EventOf<'operation'>): RunView {
  const { data, at } = event;
  const line = view.operations.find(({ seq }) => seq === data.seq);
  const same = view.now !== null && view.now.seq === data.seq && view.now.direction === data.direction;
  const since = same && view.now ? view.now.since : (data.direction === 'forward' && line?.begunAt) || at;
  const operations = view.operations.map((one) => (one.seq === data.seq ? lineAfter(one, event) : one));
  const now: RunNow | null = data.state === 'finished' || data.state === 'failed' ? null : { ...data, since };
  const next = { ...view, operations, now };
  const { title } = data;
  if (data.state === 'begun') return logged(next, event, 'now', title);
  if (data.state === 'failed') return logged(next, event, 'bad', title);
  if (data.state !== 'finished') return next;
  const ending = data.note ? `${title}: ${data.note}` : `${title}: finished`;
  return logged(next, event, data.outcome === 'unknown' ? 'unknown' : 'ok', ending);
}

function lineAfter(line: RunLine, { data, at }: EventOf<'operation'>): RunLine {
  const undo = data.direction === 'undo';
  if (data.state === 'finished')
    return {
      ...line,
      state: undo ? 'undone' : 'finished',
      finishedAt: at,
      note: data.note,
      outcome: data.outcome,
    };
  if (data.state === 'failed') return { ...line, state: 'failed', note: data.note ?? line.note };
  const state = undo ? 'undoing' : 'begun';
  return {
    ...line,
    state,
    ...(line.state === state ? {} : { begunAt: at, finishedAt: null, note: null, outcome: null }),
  };
}

const nodeLog: Partial<Record<RunNode['state'], LogLine['state']>> = {
  proven: 'ok',
  refused: 'bad',
  unknown: 'unknown',
};

function afterNode(view: RunView, event: EventOf<'node'>): RunView {
  const { data, at } = event;
  const indexes = indexesOf(view.nodes);
  const index = indexes.get(data.name);
  const known = index === undefined ? undefined : view.nodes[index];
  const node = nodeAfter(known, event);
  // Nodes keep the order of first mention, so that each keeps its place on the page.
  const nodes = index === undefined ? [...view.nodes, node] : view.nodes.with(index, node);
  indexes.set(data.name, index ?? view.nodes.length);
  handOver(view.nodes, nodes, indexes);
  const next = { ...view, nodes };
  const sign = nodeLog[data.state];
  if (!sign || (known?.state === data.state && known.dataplane === data.dataplane)) return next;
  return logged(next, { id: event.id, at }, sign, `${data.name}: ${data.detail}`);
}

function nodeAfter(known: RunNode | undefined, { data, at }: EventOf<'node'>): RunNode {
  const since = known?.state === data.state && known.dataplane === data.dataplane ? known.since : at;
  if (isOnItsWay(data)) return { ...data, since, movingSince: known?.movingSince ?? at, tookSeconds: null };
  if (data.state === 'waiting') return { ...data, since, movingSince: null, tookSeconds: null };
  if (data.state !== 'proven') return { ...data, since, movingSince: known?.movingSince ?? null, tookSeconds: null };
  // A node that was proven at the first look has no duration.
  const tookMs = known?.movingSince ? Date.parse(at) - Date.parse(known.movingSince) : null;
  const tookSeconds = tookMs === null ? (since === known?.since ? known.tookSeconds : null) : Math.round(tookMs / 1000);
  return { ...data, since, movingSince: null, tookSeconds };
}

/** A condition in words. `before`: the earlier words, if these revoke them; else null. *Progressing* is normal while something changes. */
function conditionWords(
  type: string,
  status: string,
): { state: LogLine['state']; words: string; before: string | null } {
  switch (`${type} ${status}`) {
    case 'Available True':
      return { state: 'ok', words: 'is available', before: 'is not available' };
    case 'Available False':
      return { state: 'warn', words: 'is not available', before: null };
    case 'Progressing True':
      return { state: 'now', words: 'is progressing', before: null };
    case 'Progressing False':
      return { state: 'ok', words: 'has come to rest', before: 'is progressing' };
    case 'Degraded True':
      return { state: 'warn', words: 'is degraded', before: null };
    case 'Degraded False':
      return { state: 'ok', words: 'is no longer degraded', before: 'is degraded' };
    default:
      return { state: status === 'Unknown' ? 'unknown' : 'plain', words: `says ${type} ${status}`, before: null };
  }
}

function afterCondition(view: RunView, event: EventOf<'condition'>): RunView {
  const { object, type, status, message } = event.data;
  const { state, words, before } = conditionWords(type, status);
  // A condition that is fine at the first look is no news.
  if (before !== null && !view.log.some(({ text }) => text.startsWith(`${object} ${before}`))) return view;
  // Two conditions of one object often say the same; it is logged once.
  const isRepeated = view.log
    .slice(-3)
    .some(({ text }) => text.startsWith(`${object} `) && text.endsWith(`: ${message}`));
  return logged(view, event, state, message && !isRepeated ? `${object} ${words}: ${message}` : `${object} ${words}`);
}

function logged(view: RunView, { id, at }: { id: number; at: string }, state: LogLine['state'], text: string): RunView {
  const lines = view.log.length >= mostLogLines ? view.log.slice(view.log.length - mostLogLines + 1) : view.log;
  return { ...view, log: [...lines, { id, at, state, text }] };
}

/**
 * The index of each node: 5,000 nodes with hundreds of events a second could not be searched. Kept for the newest list only, and passed on from each
 * list to the next; a list that is folded a second time builds its index again.
 */
const indexesByList = new WeakMap<readonly RunNode[], Map<string, number>>();

function indexesOf(nodes: readonly RunNode[]): Map<string, number> {
  return indexesByList.get(nodes) ?? new Map(nodes.map(({ name }, index) => [name, index]));
}

function handOver(from: readonly RunNode[], to: readonly RunNode[], indexes: Map<string, number>): void {
  indexesByList.delete(from);
  indexesByList.set(to, indexes);
}
