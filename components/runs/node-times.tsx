import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { duration } from '#lib/base/words.ts';
import { medianSeconds, type Report, slowFactor } from '#lib/run/index.ts';

/** What each node took from the first sign of its move to its proof. Nothing where no step waited for nodes. */
export function NodeTimes({ nodes }: { nodes: Report['nodes'] }) {
  const counted = nodes.filter(({ state }) => state !== 'not-counted');
  if (counted.length === 0) return null;
  const median = medianSeconds(counted) ?? 0;
  const most = Math.max(...counted.map(({ tookSeconds }) => tookSeconds ?? 0));
  return (
    <Panel
      title="Time per node"
      aside={median > 0 && <span className="text-sm">restart to proof · median {duration(median)}</span>}
    >
      <ul className="columns-1 gap-x-8 px-4 py-3 text-sm print:columns-3 sm:columns-2 2xl:columns-3">
        {counted.map(({ name, state, detail, tookSeconds }) => (
          <li
            key={name}
            className="grid break-inside-avoid grid-cols-[minmax(0,7rem)_minmax(0,1fr)_minmax(3.5rem,auto)] items-center gap-3 py-0.5 print:grid-cols-[minmax(0,5rem)_minmax(0,1fr)_minmax(2.5rem,auto)] print:gap-2"
          >
            <code className="min-w-0 truncate text-ink" title={name}>
              {name}
            </code>
            <Bar part={most === 0 ? 0 : (tookSeconds ?? 0) / most} isSlow={isSlow(tookSeconds, median)} />
            {state !== 'proven' ? (
              <StateMark state={state === 'refused' ? 'bad' : 'unknown'}>
                {state === 'refused' ? detail || 'refused' : 'not verified'}
              </StateMark>
            ) : (
              <span
                className={`text-right whitespace-nowrap ${isSlow(tookSeconds, median) ? 'text-amber' : 'text-ink-2'}`}
              >
                {tookSeconds === null ? 'proven at the first look' : duration(tookSeconds)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** As long as the time is among the others; drawn, as no page of ours may carry styles of its own. */
function Bar({ part, isSlow: slow }: { part: number; isSlow: boolean }) {
  return (
    <svg viewBox="0 0 100 6" width="100%" height="6" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="6" className="fill-sunk" />
      <rect
        width={Math.max(part * 100, part > 0 ? 1 : 0)}
        height="6"
        className={slow ? 'fill-amber-lamp' : 'fill-edge'}
      />
    </svg>
  );
}

function isSlow(seconds: number | null, median: number): boolean {
  return seconds !== null && median > 0 && seconds > slowFactor * median;
}
