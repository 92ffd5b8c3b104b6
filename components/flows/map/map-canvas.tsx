import '@xyflow/react/dist/base.css';
import {
  type Edge,
  type EdgeProps,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { FlowMap, MapEdge, MapPlace } from '#lib/flows/in-browser.ts';
import { type EdgePath, edgePath } from './edge-path.ts';
import { layOut, type MapLayout } from './map-layout.ts';

type PlaceNode = Node<{ place: MapPlace; isFaded: boolean; isChosen: boolean }, 'place'>;
type NamespaceNode = Node<{ namespace: string }, 'namespace'>;
type TalkEdge = Edge<{ edge: MapEdge; drawn: EdgePath; width: number; isFaded: boolean; isChosen: boolean }, 'talk'>;

const fit = { padding: 0.05, maxZoom: 1 };
/** Above this number, only visible elements are rendered. */
const mostDrawn = 120;

/**
 * The map as a drawing for the mouse. The table below has the same content for keyboard and screen readers. The wheel scrolls the page, not the map.
 */
export function MapCanvas({
  map,
  chosen,
  onChoose,
}: {
  map: FlowMap;
  /** Id of a place or an edge. */
  chosen: string | null;
  onChoose: (id: string | null) => void;
}) {
  const [flow, setFlow] = useState<ReactFlowInstance<PlaceNode | NamespaceNode, TalkEdge> | null>(null);
  const layout = useLayout(map);
  const nodes = useMemo(() => nodesOf(map, layout, chosen), [map, layout, chosen]);
  const edges = useMemo(() => edgesOf(map, layout, chosen), [map, layout, chosen]);
  useEffect(() => {
    if (layout.places.size > 0) void flow?.fitView(fit);
  }, [flow, layout]);
  return (
    <div className="relative h-full">
      <div aria-hidden="true" className="h-full">
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          onInit={setFlow}
          onNodeClick={(_, { id, type }) => onChoose(type === 'place' && id !== chosen ? id : null)}
          onEdgeClick={(_, { id }) => onChoose(id === chosen ? null : id)}
          onPaneClick={() => onChoose(null)}
          fitView
          fitViewOptions={fit}
          minZoom={0.1}
          maxZoom={2}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          zoomOnScroll={false}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          panActivationKeyCode={null}
          zoomActivationKeyCode={null}
          onlyRenderVisibleElements={nodes.length > mostDrawn}
          proOptions={{ hideAttribution: true }}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div role="group" aria-label="Size of the map" className="absolute right-2 bottom-2 flex gap-1">
        <Button aria-label="Smaller" onClick={() => void flow?.zoomOut()}>
          −
        </Button>
        <Button aria-label="Larger" onClick={() => void flow?.zoomIn()}>
          +
        </Button>
        <Button onClick={() => void flow?.fitView(fit)}>Fit</Button>
      </div>
    </div>
  );
}

/** The layout, computed again only if places or edges appear or disappear, so that the others stay where they are. */
function useLayout(map: FlowMap): MapLayout {
  const key = JSON.stringify([map.places.map(({ id, title }) => [id, title]), map.edges.map(({ id }) => id).sort()]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what of the map decides
  return useMemo(() => layOut(map), [key]);
}

function nodesOf(map: FlowMap, { places, namespaces }: MapLayout, chosen: string | null) {
  const near = nearOf(map, chosen);
  return [
    ...namespaces.map(
      ({ namespace, x, y, width, height }): NamespaceNode => ({
        id: `namespace ${namespace}`,
        type: 'namespace',
        position: { x, y },
        width,
        height,
        zIndex: -1,
        data: { namespace },
      }),
    ),
    ...map.places.flatMap((place): PlaceNode[] => {
      const box = places.get(place.id);
      if (!box) return [];
      const { x, y, width, height } = box;
      const data = { place, isFaded: near !== null && !near.has(place.id), isChosen: near?.has(place.id) === true };
      return [{ id: place.id, type: 'place', position: { x, y }, width, height, data }];
    }),
  ];
}

function edgesOf(map: FlowMap, { places }: MapLayout, chosen: string | null): TalkEdge[] {
  return map.edges.flatMap((edge): TalkEdge[] => {
    const [from, to] = [places.get(edge.from.id), places.get(edge.to.id)];
    // Edges from a place to itself are only in the table.
    if (!from || !to || from === to) return [];
    const isChosen = isOf(edge, chosen);
    const width = widthOf((edge.allowed + edge.denied) / map.minutes);
    const data = { edge, drawn: edgePath(from, to), width, isFaded: chosen !== null && !isChosen, isChosen };
    return [{ id: edge.id, type: 'talk', source: edge.from.id, target: edge.to.id, data }];
  });
}

const isOf = ({ id, from, to }: MapEdge, chosen: string | null) =>
  chosen !== null && (id === chosen || from.id === chosen || to.id === chosen);

/** The chosen place or edge and its neighbours; null: none is chosen. */
function nearOf({ edges }: FlowMap, chosen: string | null): ReadonlySet<string> | null {
  if (chosen === null) return null;
  return new Set([chosen, ...edges.filter((edge) => isOf(edge, chosen)).flatMap(({ from, to }) => [from.id, to.id])]);
}

/** Line width by connections per minute. */
const widthOf = (perMinute: number) => (perMinute <= 10 ? 1.5 : perMinute <= 100 ? 3 : 5);

const nodeTypes = {
  place: ({ data: { place, isFaded, isChosen } }: NodeProps<PlaceNode>) => (
    <div
      title={place.text}
      className={`flex size-full cursor-pointer items-center justify-center rounded border bg-sheet px-2 text-sm font-[560] text-ink transition-opacity ${isChosen ? 'border-blue ring-1 ring-blue' : 'border-edge'} ${place.namespace === null || place.name === null ? 'border-dashed' : ''} ${isFaded ? 'opacity-30' : ''}`}
    >
      <span className="truncate">{place.title}</span>
      <Handle type="target" position={Position.Left} isConnectable={false} className="invisible" />
      <Handle type="source" position={Position.Right} isConnectable={false} className="invisible" />
    </div>
  ),
  namespace: ({ data: { namespace } }: NodeProps<NamespaceNode>) => (
    <div className="size-full rounded-md border border-line bg-paper px-4 py-2.5">
      <p className="truncate text-sm font-semibold text-ink-2">{namespace}</p>
    </div>
  ),
};

/** The width of an edge shows its traffic. An edge whose flows were all denied is dashed and red, and ends at a signal. */
const edgeTypes = {
  talk: ({ data }: EdgeProps<TalkEdge>) => {
    if (!data) return null;
    const { edge, drawn, width, isFaded, isChosen } = data;
    const { x, y, turn } = drawn.end;
    const isDenied = edge.allowed === 0 && edge.denied > 0;
    return (
      <g className={`cursor-pointer transition-opacity ${isFaded ? 'opacity-15' : ''}`}>
        <title>{`${edge.from.text} → ${edge.to.text}`}</title>
        <path
          d={drawn.path}
          fill="none"
          strokeWidth="16"
          className={isChosen ? 'stroke-blue-tint' : 'stroke-transparent'}
        />
        <path
          d={drawn.path}
          fill="none"
          strokeWidth={isDenied ? Math.min(width, 2.5) : width}
          strokeDasharray={isDenied ? '6 4' : undefined}
          className={isDenied ? 'stroke-red' : 'stroke-ink-3'}
        />
        <g transform={`translate(${x} ${y}) rotate(${turn})`}>
          {edge.denied > 0 ? (
            <g transform="translate(-9 0)">
              <circle r="8" strokeWidth="2" className="fill-red stroke-sheet" />
              <path d="M-3 -3 L3 3 M-3 3 L3 -3" strokeWidth="2" className="stroke-sheet" />
            </g>
          ) : (
            <path d={`M0 0 L-${6 + width} ${3 + width} L-${6 + width} -${3 + width} Z`} className="fill-ink-3" />
          )}
        </g>
      </g>
    );
  },
};
