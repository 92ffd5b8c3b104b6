import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { duration } from '#lib/base/words.ts';
import type { Report } from '#lib/run/index.ts';

/** So many times the median is worth a look. */
const slowFactor = 5;

/** What each node took from the first sign of its move to its proof. Nothing where no step waited for nodes. */
export function NodeTimes({ nodes }: { nodes: Report['nodes'] }) {
  const counted = nodes.filter(({ state }) => state !== 'not-counted');
  if (counted.length === 0) return null;
  const took = counted.flatMap(({ tookSeconds }) => tookSeconds ?? []).sort((one, other) => one - other);
  const median = took[Math.floor(took.length / 2)] ?? 0;
  return (
    <Panel
      title="Time per node"
      aside={took.length > 0 && <span className="text-sm">restart to proof · median {duration(median)}</span>}
    >
      <ul className="columns-1 gap-x-8 px-4 py-3 text-sm sm:columns-2 lg:columns-3">
        {counted.map(({ name, state, detail, tookSeconds }) => (
          <li key={name} className="flex break-inside-avoid items-baseline justify-between gap-3 py-0.5">
            <code className="min-w-0 truncate text-ink">{name}</code>
            {state !== 'proven' ? (
              <StateMark state={state === 'refused' ? 'bad' : 'unknown'}>
                {state === 'refused' ? detail || 'refused' : 'not verified'}
              </StateMark>
            ) : (
              <span className={`whitespace-nowrap ${isSlow(tookSeconds, median) ? 'text-amber' : 'text-ink-2'}`}>
                {tookSeconds === null ? 'proven at the first look' : duration(tookSeconds)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function isSlow(seconds: number | null, median: number): boolean {
  return seconds !== null && median > 0 && seconds > slowFactor * median;
}
