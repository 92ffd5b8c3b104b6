import type { NodeLine } from '#lib/console/wire.ts';
import { type Plane, planes } from './node-words.ts';

export type NodeOrder = { by: 'name' | 'state'; direction: 'ascending' | 'descending' };
export type NodeFilter = { name: string; plane: Plane | 'all' | 'not-ready' };

const rank = new Map(planes.map(({ plane }, index) => [plane, index]));

/**
 * The filtered nodes in order. The input is sorted by name in natural order (w-2 before w-10), and sorting by state is stable, so that 5,000 names are not compared
 * at each event.
 */
export function nodeRows(nodes: readonly NodeLine[], order: NodeOrder, filter: NodeFilter): readonly NodeLine[] {
  const wanted = filter.name.trim().toLowerCase();
  const shown = nodes.filter(
    (node) =>
      (wanted === '' || node.name.toLowerCase().includes(wanted)) &&
      (filter.plane === 'all' || (filter.plane === 'not-ready' ? !node.ready : node.plane === filter.plane)),
  );
  if (order.by === 'state') {
    const sign = order.direction === 'ascending' ? 1 : -1;
    return shown.sort((a, b) => sign * ((rank.get(a.plane) ?? 0) - (rank.get(b.plane) ?? 0)));
  }
  return order.direction === 'ascending' ? shown : shown.reverse();
}
