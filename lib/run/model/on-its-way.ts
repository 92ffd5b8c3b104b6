import type { NodeState } from './event.ts';

/** A node that is on its way. One that waits where it was has not begun to move: its agent may only have restarted with another address. */
export function isOnItsWay({ state, dataplane }: Pick<NodeState, 'state' | 'dataplane'>): boolean {
  return state === 'restarting' || (state === 'waiting' && dataplane === null);
}
