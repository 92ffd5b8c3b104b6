import type { State } from '#components/ui/state-mark.tsx';
import { isAboutNodes, type RunNode, type RunView } from '#lib/console/wire.ts';

export type Direction = 'forward' | 'undo';

/** The direction in which a run goes, or went last. */
export function directionOf({ state, operations }: Pick<RunView, 'state' | 'operations'>): Direction {
  if ('direction' in state) return state.direction;
  return operations.some((line) => line.state === 'undone' || line.state === 'undoing') ? 'undo' : 'forward';
}

export type NodeMark = { state: State; word: string };

const marks = {
  refused: { state: 'bad', word: 'refused' },
  unknown: { state: 'unknown', word: 'unknown' },
  restarting: { state: 'now', word: 'restarting' },
  waiting: { state: 'idle', word: 'waiting' },
  'still-there': { state: 'idle', word: 'still on eBPF' },
  'not-yet': { state: 'idle', word: 'still on standard' },
  bpf: { state: 'ok', word: 'eBPF proven' },
  standard: { state: 'ok', word: 'standard proven' },
  proven: { state: 'ok', word: 'proven' },
  'not-counted': { state: 'idle', word: 'not counted' },
} as const satisfies Record<string, NodeMark>;

/** The states of a node's move in the reader's order: those that need attention first. */
export const nodeMarks: readonly NodeMark[] = Object.values(marks);

/**
 * The mark of a node. A node that is proven to be where the run comes from has not moved yet, so the mark depends on the direction. Always one of
 * `nodeMarks`.
 */
export function nodeMark({ state, dataplane }: Pick<RunNode, 'state' | 'dataplane'>, direction: Direction): NodeMark {
  const isStillThere = state === 'waiting' && dataplane === (direction === 'undo' ? 'bpf' : 'standard');
  if (state !== 'proven' && !isStillThere) return marks[state];
  if (dataplane === null) return marks.proven;
  if (direction === 'undo' && dataplane === 'bpf') return marks['still-there'];
  if (direction === 'forward' && dataplane === 'standard') return marks['not-yet'];
  return marks[dataplane];
}

/** How many nodes run which release, newest first, and how many have an agent that is being replaced. Empty if no node tells its release. */
export function nodesByRelease(nodes: readonly RunNode[]): { word: string; state: State; count: number }[] {
  const counted = nodes.filter(({ state }) => state !== 'not-counted');
  if (counted.every(({ version }) => version === undefined)) return [];
  const isMoving = ({ state, version }: RunNode) => state === 'restarting' || version === undefined;
  const still = counted.filter((node) => !isMoving(node));
  const moving = counted.length - still.length;
  const groups = [...Map.groupBy(still, ({ version = '', state }) => `${version}/${state}`).values()];
  const rows = groups.map((group): { word: string; state: State; count: number } => ({
    word: `on ${group[0]?.version}`,
    state: group[0]?.state === 'proven' ? 'ok' : 'idle',
    count: group.length,
  }));
  rows.sort((one, other) => other.word.localeCompare(one.word));
  return moving === 0 ? rows : [...rows, { word: 'restarting', state: 'now', count: moving }];
}

/** `8 of 14`: the nodes that have arrived, of those that count. Null until nodes were looked at. */
export function arrivedOf(
  nodes: readonly RunNode[],
  direction: Direction,
): { arrived: number; counted: number } | null {
  const counted = nodes.filter(({ state }) => state !== 'not-counted');
  if (counted.length === 0) return null;
  return {
    arrived: counted.filter((node) => nodeMark(node, direction).state === 'ok').length,
    counted: counted.length,
  };
}

/** The same count, but only while the run's sentence is about nodes, so that the two never contradict each other; else null. */
export function countedNodes(view: RunView): ReturnType<typeof arrivedOf> {
  return isAboutNodes(view) ? arrivedOf(view.nodes, directionOf(view)) : null;
}
