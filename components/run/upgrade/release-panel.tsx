import { type ReactNode, useMemo } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { type State, StateMark } from '#components/ui/state-mark.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { RunView } from '#lib/console/wire.ts';
import { directionOf } from '../nodes/node-words.ts';
import { legNow, type ReleasesOfRun, releaseLines } from './release-lines.ts';
import { ReleaseTracks } from './release-tracks.tsx';

/** One line per release with its nodes, the reasons for intermediate releases, and the run's outcome below. */
export function ReleasePanel({
  view,
  releases,
  state,
  children,
}: {
  view: RunView;
  releases: ReleasesOfRun;
  state: State;
  children: ReactNode;
}) {
  const { nodes, operations } = view;
  const direction = directionOf(view);
  const lines = useMemo(
    () => releaseLines(releases, { nodes, operations, direction }),
    [releases, nodes, operations, direction],
  );
  // With a hop, each leg has its own target.
  const aim = lines.lines[direction === 'undo' ? 0 : legNow(releases.to, operations) + 1];
  const there = aim?.proven.length ?? 0;
  const hops = releases.to.flatMap(({ version, gate, because }) =>
    gate !== null && because !== null ? [{ version, gate, because }] : [],
  );
  return (
    <Panel
      title="Releases"
      aside={
        lines.counted > 0 &&
        aim && (
          <StateMark state={there === lines.counted ? 'ok' : state}>
            {thousands(there)} of {counted(lines.counted, 'node')} on {aim.version}
          </StateMark>
        )
      }
    >
      <div className="px-2 pt-3 pb-2">
        <ReleaseTracks lines={lines} />
      </div>
      {hops.map(({ version, gate, because }) => (
        <p key={version} className="max-w-[100ch] px-4 pb-2 text-sm text-ink-2">
          Why the hop at {version}? {because}{' '}
          <a href={`/reference/gates#${gate}`} className="underline">
            (gate {gate})
          </a>
        </p>
      ))}
      {children}
    </Panel>
  );
}
