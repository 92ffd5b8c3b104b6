import { type PointerEvent, useId, useRef, useState } from 'react';
import type { HistorySeries } from '#lib/flows/index.ts';
import { timeText } from '../time-text.ts';
import { barsOf, type Measure } from './bars.ts';
import { afterKey, type Edge, rangeBetween, rangeOfDrag, type StepRange, type Steps } from './brush.ts';

/** Pixels from the top. */
const top = 8;
const axis = 66;
const bottom = 94;
const chartHeight = 114;

/**
 * Allowed above the axis, denied below; hatched: not recorded. A window is drawn with the mouse, or with the two edges, which are sliders. `chosen` null: none is.
 * Widths are shares of the whole, so that nothing is measured.
 */
export function FlowChart({
  series,
  measure,
  chosen,
  onChoose,
}: {
  series: HistorySeries;
  measure: Measure;
  chosen: StepRange | null;
  /** Null: the window is removed. */
  onChoose: (chosen: StepRange | null) => void;
}) {
  const hatch = useId();
  const svg = useRef<SVGSVGElement>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const steps: Steps = { ...series, count: series.steps.length };
  const { count } = steps;
  const { bars, gaps } = barsOf(series.steps, measure, { above: axis - top, below: bottom - axis });
  const shown = drawing ? chosenBy(drawing, steps) : chosen;
  const edges = shown ?? { first: 0, last: count };
  const at = (line: number) => `${(line / count) * 100}%`;
  const today = new Date();
  const timeAt = (line: number, to: 'second' | 'minute') =>
    timeText(series.since + line * series.stepSeconds, to, today);
  const placeOf = ({ clientX }: PointerEvent) => {
    const box = svg.current?.getBoundingClientRect();
    return box && box.width > 0 ? (clientX - box.left) / box.width : 0;
  };
  const begin = (event: PointerEvent, from: Drawing['from']) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    svg.current?.setPointerCapture(event.pointerId);
    setDrawing({ from, to: placeOf(event) });
  };
  return (
    <svg
      ref={svg}
      width="100%"
      height={chartHeight}
      className="block cursor-crosshair touch-pan-y overflow-visible select-none"
      onPointerDown={(event) => begin(event, { place: placeOf(event) })}
      onPointerMove={(event) => drawing && setDrawing({ ...drawing, to: placeOf(event) })}
      onPointerUp={() => {
        if (drawing) onChoose(chosenBy(drawing, steps));
        setDrawing(null);
      }}
      onPointerCancel={() => setDrawing(null)}
    >
      <title>Flows over time</title>
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" className="fill-sunk" />
          <line y2="6" strokeWidth="2" className="stroke-line" />
        </pattern>
      </defs>
      <rect width="100%" height={bottom} fill="transparent" />
      {shown && (
        <rect x={at(shown.first)} width={at(shown.last - shown.first)} height={bottom} className="fill-blue-tint" />
      )}
      {gaps.map(({ before, length }) => (
        <rect key={before} x={at(before)} width={at(length)} y={top} height={bottom - top} fill={`url(#${hatch})`}>
          <title>{`${timeAt(before, 'second')} to ${timeAt(before + length, 'second')}: not recorded`}</title>
        </rect>
      ))}
      {bars.map(({ before, above, below }) => {
        const isIn = before >= edges.first && before < edges.last;
        return (
          <g key={before} className={isIn ? '' : 'opacity-45'}>
            <title>{titleOf(series, before, timeAt(before, 'second'))}</title>
            <rect x={at(before)} width={at(0.86)} y={axis - above} height={above} className="fill-ink-3/60" />
            <rect x={at(before)} width={at(0.86)} y={axis} height={below} className="fill-red" />
          </g>
        );
      })}
      <line x2="100%" y1={axis} y2={axis} className="stroke-edge" />
      {labelled(count).map(({ line, anchor, isWide }) => (
        <text
          key={line}
          x={at(line)}
          y={chartHeight - 4}
          textAnchor={anchor}
          className={`fill-ink-3 text-xs tabular-nums ${isWide ? 'max-sm:hidden' : ''}`}
        >
          {timeAt(line, 'minute')}
        </text>
      ))}
      {(['first', 'last'] as const).map((edge) => (
        // A separate element, so that its centre is at the edge.
        <svg key={edge} x={at(edges[edge])} overflow="visible" aria-hidden={false}>
          <title>{edge === 'first' ? 'From' : 'To'}</title>
          {shown && <line y2={bottom} strokeWidth="2" className="stroke-blue" />}
          <rect
            role="slider"
            tabIndex={0}
            aria-label={edge === 'first' ? 'Window begins' : 'Window ends'}
            aria-valuemin={0}
            aria-valuemax={count}
            aria-valuenow={edges[edge]}
            aria-valuetext={timeAt(edges[edge], 'second')}
            x={edge === 'first' && edges.first === 0 ? 0 : edge === 'last' && edges.last === count ? -10 : -5}
            y={axis - 20}
            width="10"
            height="28"
            rx="4"
            strokeWidth="2"
            className={`cursor-ew-resize fill-sheet ${shown ? 'stroke-blue' : 'stroke-edge'}`}
            onPointerDown={(event) => begin(event, { edge, other: edge === 'first' ? edges.last : edges.first })}
            onKeyDown={(event) => {
              const next = event.key === 'Escape' ? null : afterKey(event.key, edge, edges, steps);
              if (next === null && (event.key !== 'Escape' || chosen === null)) return;
              event.preventDefault();
              onChoose(next);
            }}
          />
        </svg>
      ))}
    </svg>
  );
}

/** Positions are fractions of the width. Moving an edge keeps the other one. */
type Drawing = {
  readonly from: { readonly place: number } | { readonly edge: Edge; readonly other: number };
  readonly to: number;
};

function chosenBy({ from, to }: Drawing, steps: Steps): StepRange {
  if ('place' in from) return rangeOfDrag(from.place, to, steps);
  const line = Math.round(to * steps.count);
  return rangeBetween(
    from.edge === 'first' ? Math.min(line, from.other - 1) : Math.max(line, from.other + 1),
    from.other,
    steps,
  );
}

/** Positions of the time labels; on a telephone three of the five. */
function labelled(count: number): { line: number; anchor: 'start' | 'middle' | 'end'; isWide: boolean }[] {
  const lines = [...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * count)))];
  return lines.map((line, index) => ({
    line,
    anchor: line === 0 ? 'start' : line === count ? 'end' : 'middle',
    isWide: index % 2 === 1,
  }));
}

function titleOf({ steps }: HistorySeries, before: number, time: string): string {
  const step = steps[before];
  return step ? `${time}: ${step.allowed} allowed, ${step.denied} denied` : time;
}
