import type { NodeState } from './event.ts';

/** Whether a node is moving. A node that waits on its old data plane is not: its agent may only have restarted with another address. */
export function isOnItsWay({ state, dataplane }: Pick<NodeState, 'state' | 'dataplane'>): boolean {
  return state === 'restarting' || (state === 'waiting' && dataplane === null);
}
