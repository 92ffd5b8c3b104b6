import type { State } from '#components/ui/state-mark.tsx';
import type { RunNode } from '#lib/console/wire.ts';

/** The states of a node's move in the order in which a reader wants them: what needs somebody first. */
export const nodeStates = [
  'refused',
  'unknown',
  'restarting',
  'waiting',
  'proven',
  'not-counted',
] as const satisfies RunNode['state'][];

export const nodeWords: Record<RunNode['state'], { state: State; word: string }> = {
  refused: { state: 'bad', word: 'refused' },
  unknown: { state: 'unknown', word: 'unknown' },
  restarting: { state: 'now', word: 'restarting' },
  waiting: { state: 'idle', word: 'waiting' },
  proven: { state: 'ok', word: 'proven' },
  'not-counted': { state: 'idle', word: 'not counted' },
};

/** `8 of 14`: nodes that are proven, of those that count; null while no node was looked at. */
export function provenOf(nodes: readonly RunNode[]): { proven: number; counted: number } | null {
  const counted = nodes.filter(({ state }) => state !== 'not-counted');
  if (counted.length === 0) return null;
  return { proven: counted.filter(({ state }) => state === 'proven').length, counted: counted.length };
}
