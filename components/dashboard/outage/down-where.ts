import type { ClusterView } from '#lib/console/wire.ts';
import { unservedNodes } from '#lib/status/unserved.ts';

/** Whether no node at all has Services, or only some; of those that an agent of Calico may run on. Nothing is said of all where none is known. */
export function downWhere({ status, nodes }: Pick<ClusterView, 'status' | 'nodes'>): 'everywhere' | 'on some nodes' {
  const counted = nodes.filter(({ plane }) => plane !== 'not-counted');
  const unserved = unservedNodes(status, nodes).length;
  return unserved > 0 && unserved === counted.length ? 'everywhere' : 'on some nodes';
}
