import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import {
  askedNodes,
  gapLength,
  kindsAsked,
  notMeasured,
  type ServiceGaps,
  type ServicesWatched,
  serviceGaps,
} from '#lib/run/model/index.ts';
import { type ServiceKind, serviceTitle } from '#lib/spec/watched-services.ts';
import { MissedServices } from './missed-services.tsx';

/** In a larger cluster only the worst nodes are shown, with the number of the others. */
const mostRows = 12;
const allRowsUpTo = 20;
/** Gaps of this length, in ms, get a colour (mock › run). */
const badMs = 700;

/** How Services answered on each node, one line each: the worst of each stretch of time. Stretches without data are drawn as such, never as answered. */
export function ServicesPanel({ watched, title }: { watched: ServicesWatched; title: string }) {
  const gaps = serviceGaps(watched);
  if (gaps === null) return null;
  const kinds = kindsAsked(gaps.nodes);
  const worst = (one: ServiceGaps['nodes'][number]) => Math.max(0, ...one.kinds.map(({ longestMs }) => longestMs ?? 0));
  const shown =
    gaps.nodes.length <= allRowsUpTo
      ? gaps.nodes
      : [...gaps.nodes].sort((one, other) => worst(other) - worst(one)).slice(0, mostRows);
  const letters = Math.max(1, Math.ceil((watched.to - watched.from) / watched.stretchMs));
  return (
    <Panel title={title} aside={<Longest gaps={gaps} />}>
      <div className="flex flex-col gap-0.5 px-4 py-3 text-sm">
        <Row
          node={<span className="sr-only">node</span>}
          cells={kinds.map((kind) => (
            <span key={kind} className="text-ink-3">
              {serviceTitle(kind)}
            </span>
          ))}
          end={<span className="text-ink-3">longest gap</span>}
        />
        {shown.map((one) => (
          <Row
            key={one.node}
            node={
              <code className="block truncate" title={one.node}>
                {one.node}
              </code>
            }
            cells={kinds.map((kind) => <Line key={kind} marks={marksOf(watched, one.node, kind)} letters={letters} />)}
            end={<NodeGap ms={one.kinds.some(({ longestMs }) => longestMs !== null) ? worst(one) : null} />}
          />
        ))}
        <p className="flex flex-wrap justify-between gap-x-6 gap-y-1 pt-2 text-xs text-ink-3">
          <span className="flex flex-wrap gap-x-4">
            {legend.map(({ mark, words }) => (
              <span key={mark} className="inline-flex items-center gap-1.5">
                <svg width="14" height="16" viewBox="0 0 14 16" aria-hidden="true">
                  <Ticks marks={mark.repeat(3)} width={14 / 3} />
                </svg>
                {words}
              </span>
            ))}
          </span>
          <span>
            {shown.length < gaps.nodes.length && `The worst ${shown.length} of ${gaps.nodes.length}. `}
            Asked every {watched.intervalMs} ms from {askedNodes(gaps)}; a gap is known to {gaps.precisionMs} ms, a mark
            is the worst of {watched.stretchMs / 1000} s
          </span>
        </p>
        <MissedServices missed={gaps.missed} />
      </div>
    </Panel>
  );
}

const legend = [
  { mark: '.', words: 'answered' },
  { mark: '-', words: 'late, or one lost' },
  { mark: 'x', words: 'not answered' },
  { mark: '?', words: 'not measured' },
] as const;

function Longest({ gaps }: { gaps: ServiceGaps }) {
  const { longest, nodes } = gaps;
  if (!nodes.some(({ kinds }) => kinds.some(({ longestMs }) => longestMs !== null)))
    return <StateMark state="unknown">nothing measured</StateMark>;
  if (longest === null && notMeasured(gaps) !== null)
    return <StateMark state="unknown">no gap in what was measured</StateMark>;
  if (longest === null) return <StateMark state="ok">no gap</StateMark>;
  return (
    <span className="flex flex-wrap gap-x-2">
      <StateMark state={longest.ms > badMs ? 'bad' : 'warn'}>longest gap {gapLength(longest.ms)}</StateMark>
      <span className="text-sm">
        {serviceTitle(longest.kind)} on {longest.node}, <time dateTime={longest.at}>{longest.at.slice(11, 19)}</time>
      </span>
    </span>
  );
}

function NodeGap({ ms }: { ms: number | null }) {
  if (ms === null) return <span className="text-violet">not measured</span>;
  if (ms === 0) return <span className="text-ink-3">none</span>;
  return <span className={ms > badMs ? 'text-red' : 'text-ink-2'}>{gapLength(ms)}</span>;
}

function Row({ node, cells, end }: { node: ReactNode; cells: ReactNode[]; end: ReactNode }) {
  return (
    <div className="flex items-center gap-3">
      <span className="w-24 shrink-0 sm:w-32">{node}</span>
      <span className="grid min-w-0 flex-1 auto-cols-fr grid-flow-col gap-3">{cells}</span>
      <span className="w-24 shrink-0 text-right whitespace-nowrap tabular-nums">{end}</span>
    </div>
  );
}

const width = 240;

function Line({ marks, letters }: { marks: string; letters: number }) {
  return (
    <svg viewBox={`0 0 ${width} 16`} width="100%" height="16" preserveAspectRatio="none" aria-hidden="true">
      <path d={`M0 8.5H${width}`} className="stroke-line" />
      <Ticks marks={marks} width={width / letters} />
    </svg>
  );
}

/** A height for each, so that it can be read without colour. */
const looks = {
  '.': { y: 6, height: 5, className: 'fill-green' },
  '-': { y: 4, height: 9, className: 'fill-amber-lamp' },
  x: { y: 0, height: 16, className: 'fill-red' },
  '?': { y: 7.5, height: 2, className: 'fill-violet' },
} as const;

function Ticks({ marks, width: step }: { marks: string; width: number }) {
  return [...marks].map((letter, at) => {
    const mark = letter in looks ? (letter as keyof typeof looks) : '?';
    const [from, wide] = mark === '?' ? [at * step, step] : [at * step + step / 4, step / 2];
    // biome-ignore lint/suspicious/noArrayIndexKey: a place in time
    return <rect key={at} x={from} width={wide} {...looks[mark]} />;
  });
}

function marksOf({ nodes }: ServicesWatched, node: string, kind: ServiceKind): string {
  return nodes.find((one) => one.node === node)?.kinds.find((one) => one.kind === kind)?.marks ?? '';
}
