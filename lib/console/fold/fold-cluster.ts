import type { NodeLine } from '#lib/status/index.ts';
import type { ClusterEvent, ClusterView } from './view.ts';

/** A cluster's view after one more event. `id` is null for events that change nothing. An event that the view contains already changes nothing. Pure. */
export function foldCluster(view: ClusterView, event: ClusterEvent, id: number | null): ClusterView {
  if (event.event === 'snapshot') return event.data;
  // A stream without a view yet at least says why; that event has no id.
  if (event.event === 'problem' && id === null)
    return { ...view, stale: { since: event.data.since, message: event.data.message } };
  if (id === null || id <= view.revision) return view;
  const seen = { ...view, revision: id };
  switch (event.event) {
    case 'node':
      return { ...seen, nodes: nodesAfter(view.nodes, event.data) };
    case 'condition':
      return {
        ...seen,
        nodes: event.data.nodes ? nodesAfter(view.nodes, event.data.nodes) : view.nodes,
        status: { ...event.data.status, components: event.data.components },
        observedAt: event.data.status.observedAt,
      };
    case 'operation':
      return { ...seen, run: event.data.run };
    case 'problem':
      return { ...seen, stale: { since: event.data.since, message: event.data.message } };
    case 'heartbeat':
    case 'end':
      return view;
  }
}

/** Sorted by name in natural order: w-2 before w-10. The server sorts; a node that joins later is inserted. */
function nodesAfter(nodes: NodeLine[], { changed, gone }: { changed: NodeLine[]; gone: string[] }): NodeLine[] {
  const indexes = indexesOf(nodes);
  const isSameSet = gone.length === 0 && changed.every(({ name }) => indexes.has(name));
  if (isSameSet) {
    const next = nodes.slice();
    for (const node of changed) next[indexes.get(node.name) ?? 0] = node;
    known.set(next, indexes);
    return next;
  }
  const byName = new Map(nodes.map((node) => [node.name, node]));
  for (const name of gone) byName.delete(name);
  for (const node of changed) byName.set(node.name, node);
  return sortedNodes([...byName.values()]);
}

const order = new Intl.Collator('en', { numeric: true });

export function sortedNodes(nodes: NodeLine[]): NodeLine[] {
  return nodes.sort((a, b) => order.compare(a.name, b.name) || (a.name < b.name ? -1 : 1));
}

/** The index of each node, kept beside the list: an event about one of 5,000 nodes must not search them all. */
const known = new WeakMap<readonly NodeLine[], Map<string, number>>();

function indexesOf(nodes: readonly NodeLine[]): Map<string, number> {
  let indexes = known.get(nodes);
  if (!indexes) {
    indexes = new Map(nodes.map(({ name }, index) => [name, index]));
    known.set(nodes, indexes);
  }
  return indexes;
}
