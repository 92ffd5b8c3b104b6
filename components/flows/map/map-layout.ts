import { Graph, layout } from '@dagrejs/dagre';
import type { FlowMap, MapEdge, MapPlace } from '#lib/flows/in-browser.ts';

/** Pixels, from the left and the top of the map. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Positions of places, and the boxes of namespaces. */
export type MapLayout = {
  readonly places: ReadonlyMap<string, Box>;
  readonly namespaces: readonly (Box & { readonly namespace: string })[];
};

const placeHeight = 32;
const gap = 14;
const padding = { side: 18, top: 38, bottom: 18 };
/** Larger namespaces are laid out in columns, regardless of their edges. */
const mostByEdges = 60;
/** Edges per place that decide the layout, the busiest ones; more would take too long. */
const edgesOfPlace = 2;

/**
 * Lays out callers left of callees: first the workloads within each namespace's box, then the boxes. Two small layouts take a hundredth of the time of a nested
 * one.
 */
export function layOut({ places, edges }: Pick<FlowMap, 'places' | 'edges'>): MapLayout {
  const named = new Set(
    places.flatMap(({ namespace, name }) => (namespace !== null && name !== null ? namespace : [])),
  );
  const groupOf = ({ id, namespace }: MapPlace) =>
    namespace !== null && named.has(namespace) ? `namespace ${namespace}` : id;
  const groups = [...Map.groupBy(places, groupOf)].map(([id, members]) => {
    const isBox = id.startsWith('namespace ');
    const inside = stand(members, edges);
    const [width, height] = isBox
      ? [
          Math.max(inside.width, textWidth(members[0]?.namespace ?? '')) + 2 * padding.side,
          inside.height + padding.top + padding.bottom,
        ]
      : [inside.width, inside.height];
    return { id, isBox, namespace: members[0]?.namespace ?? '', inside, width, height };
  });
  const between = edges.map(({ from, to }) => ({ from: groupOf(from), to: groupOf(to) }));
  const at = byEdges(groups, between, { across: 40, along: 72 });
  return {
    places: new Map(
      groups.flatMap(({ id, isBox, inside }) => {
        const { x = 0, y = 0 } = at.boxes.get(id) ?? {};
        const [left, top] = isBox ? [padding.side, padding.top] : [0, 0];
        return [...inside.boxes].map(
          ([place, box]) => [place, { ...box, x: x + left + box.x, y: y + top + box.y }] as const,
        );
      }),
    ),
    namespaces: groups.flatMap(({ id, isBox, namespace }) => {
      const box = at.boxes.get(id);
      return isBox && box ? { ...box, namespace } : [];
    }),
  };
}

type Sized = { readonly id: string; readonly width: number; readonly height: number };
type Laid = { readonly boxes: ReadonlyMap<string, Box>; readonly width: number; readonly height: number };

function stand(places: readonly MapPlace[], edges: readonly MapEdge[]): Laid {
  const ids = new Set(places.map(({ id }) => id));
  const inside = edges
    .filter(({ from, to }) => ids.has(from.id) && ids.has(to.id) && from.id !== to.id)
    .map(({ from, to }) => ({ from: from.id, to: to.id }));
  const sized = places.map(({ id, title }) => ({ id, width: textWidth(title), height: placeHeight }));
  return inside.length === 0 || places.length > mostByEdges
    ? inColumns(sized)
    : byEdges(sized, inside, { across: gap, along: 48 });
}

/** Estimated text width within bounds, because measuring would force a layout. Capitals are wider, as in `PRIVATE NETWORK`. */
const textWidth = (text: string) => {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return Math.min(230, Math.max(92, Math.ceil(text.length * 7.4 + capitals * 2) + 30));
};

function inColumns(items: readonly Sized[]): Laid {
  const rows = Math.max(1, Math.ceil(Math.sqrt(items.length * 2)));
  const width = Math.max(...items.map((item) => item.width));
  const columns = Math.ceil(items.length / rows);
  return {
    boxes: new Map(
      items.map((item, index) => {
        const x = Math.floor(index / rows) * (width + gap);
        const y = (index % rows) * (placeHeight + gap);
        return [item.id, { x, y, width, height: item.height }];
      }),
    ),
    width: columns * (width + gap) - gap,
    height: Math.min(items.length, rows) * (placeHeight + gap) - gap,
  };
}

/** Edges are sorted by weight, heaviest first. */
function byEdges(
  items: readonly Sized[],
  edges: readonly { readonly from: string; readonly to: string }[],
  { across, along }: { across: number; along: number },
): Laid {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: across, ranksep: along });
  for (const { id, width, height } of items) graph.setNode(id, { width, height });
  const taken = new Map<string, number>();
  const of = (id: string) => taken.get(id) ?? 0;
  for (const { from, to } of edges) {
    if (from === to || (of(from) >= edgesOfPlace && of(to) >= edgesOfPlace)) continue;
    for (const end of [from, to]) taken.set(end, of(end) + 1);
    graph.setEdge(from, to, {});
  }
  layout(graph);
  const boxes = items.map(({ id, width, height }) => {
    const { x = 0, y = 0 } = graph.node(id);
    return [id, { x: x - width / 2, y: y - height / 2, width, height }] as const;
  });
  const far = (edge: (box: Box) => number) => Math.max(0, ...boxes.map(([, box]) => edge(box)));
  return { boxes: new Map(boxes), width: far(({ x, width }) => x + width), height: far(({ y, height }) => y + height) };
}
