import { counted } from '#lib/base/words.ts';
import { Car } from './car.tsx';
import type { NodesByPlane } from './nodes-by-plane.ts';
import { Rails } from './rails.tsx';
import { layTwoTracks, reach, type TwoTracks, type TwoTracksFrame } from './two-tracks-layout.ts';

/** A drawing of the two tracks. `label`: the picture as a sentence. */
export function TwoTracksDrawing({
  nodes,
  frame,
  standard,
  isDown,
  label,
}: {
  nodes: NodesByPlane;
  frame: TwoTracksFrame;
  standard: string | null;
  isDown: boolean;
  label: string;
}) {
  const layout = layTwoTracks(nodes, frame);
  const { width, height, rails, crossings, cars } = layout;
  const onStandard = nodes.standard.length + nodes['fell-back'].length;
  const labelOf = (y: number, outside: number) =>
    frame.labelsAt === 'side' ? { x: 16, y: y - 8 } : { x: rails.from, y: y + outside };
  const standardSub = isDown
    ? `${counted(onStandard, 'node')}, no proxy`
    : `${standard === null ? '' : `${standard} · `}${counted(onStandard, 'node')}`;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width="100%" role="img" aria-label={label} className="block select-none">
      <TrackName
        {...labelOf(rails.standardY, -34)}
        name="Standard"
        sub={standardSub}
        at={frame.labelsAt}
        isDown={isDown}
      />
      <TrackName {...labelOf(rails.bpfY, 34)} name="eBPF" sub={counted(nodes.bpf.length, 'node')} at={frame.labelsAt} />
      <Rails from={rails.from} to={rails.to} y={rails.standardY} />
      <Rails from={rails.from} to={rails.to} y={rails.bpfY} />
      {crossings.map((x, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a crossing is its place.
        <Crossing key={index} x={x} rails={rails} />
      ))}
      {cars.map((car) => (
        <Car key={car.key} car={car} isDown={isDown && car.look === 'standard'} />
      ))}
      <Remarks layout={layout} />
    </svg>
  );
}

/** The connection from the standard track to the other. */
function Crossing({ x, rails: { standardY, bpfY } }: { x: number; rails: TwoTracks['rails'] }) {
  return (
    <path
      d={`M${x - reach + 1.6} ${standardY - 4}L${x + reach + 5.6} ${bpfY}M${x - reach - 5.6} ${standardY}L${x + reach - 1.6} ${bpfY + 4}`}
      className="stroke-rail"
      strokeWidth="1.6"
      fill="none"
    />
  );
}

function TrackName({
  x,
  y,
  name,
  sub,
  at,
  isDown = false,
}: {
  x: number;
  y: number;
  name: string;
  sub: string;
  at: TwoTracksFrame['labelsAt'];
  isDown?: boolean;
}) {
  return (
    <>
      <text x={x} y={y} fontSize="12" fontWeight="600" className={isDown ? 'fill-red' : 'fill-ink-2'}>
        {name}
      </text>
      <text x={at === 'side' ? x : x + 64} y={at === 'side' ? y + 16 : y} fontSize="11.5" className="fill-ink-3">
        {sub}
      </text>
    </>
  );
}

/** Words below cars whose state must not be shown by colour alone. */
function Remarks({ layout: { cars } }: { layout: TwoTracks }) {
  const below = (look: 'fell-back' | 'unknown', words: string, className: string) => {
    const those = cars.filter((car) => car.look === look);
    if (those.length === 0) return null;
    const left = Math.min(...those.map(({ x }) => x));
    const right = Math.max(...those.map(({ x, width }) => x + width));
    const y = (those[0]?.y ?? 0) + 30;
    return (
      <text x={(left + right) / 2} y={y} fontSize="11" fontWeight="560" textAnchor="middle" className={className}>
        {words}
      </text>
    );
  };
  return (
    <>
      {below('fell-back', 'fell back', 'fill-red')}
      {below('unknown', 'not known', 'fill-violet')}
    </>
  );
}
