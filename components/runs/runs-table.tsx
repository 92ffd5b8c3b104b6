import Link from 'next/link';
import { Suspense } from 'react';
import { holderWords, runStateWords, runTitle, shortHash } from '#components/run/run-words.ts';
import { progressWords } from '#components/run/steps/progress-words.ts';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { host } from '#lib/console/host.ts';
import type { LeaseHolder, ShownRun } from '#lib/run/index.ts';
import { MiniTrackDrawing } from './mini-track-drawing.tsx';

/** Number of runs whose track is drawn: each needs a request to the cluster, so only those visible without scrolling. */
const drawn = 12;

/** Runs, newest first. */
export function RunsTable({
  cluster,
  name,
  runs,
  leaseHolder,
}: {
  cluster: string;
  name: string;
  runs: ShownRun[];
  leaseHolder: LeaseHolder;
}) {
  return (
    <TableBox label="Runs">
      <table>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Run</th>
            <th scope="col" className="max-sm:hidden">
              Steps
            </th>
            <th scope="col">Started</th>
            <th scope="col" className="max-lg:hidden">
              By
            </th>
            <th scope="col" className="max-lg:hidden">
              Plan
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, index) => {
            const mark = runStateWords(run.state, leaseHolder.alive ? 'carried' : 'abandoned', run.unverified);
            return (
              <tr key={run.run}>
                <td className="whitespace-nowrap">
                  {run.foreign === null ? (
                    <StateMark state={mark.state}>{mark.word}</StateMark>
                  ) : (
                    <StateMark state="unknown">{mark.word}, not verified</StateMark>
                  )}
                </td>
                <td>
                  <Link href={`/clusters/${cluster}/runs/${run.run}`} prefetch={false} className="font-[560]">
                    {runTitle(run, name, run.direction)}
                    <span className="sr-only">, run {run.run}</span>
                  </Link>
                  <code className="block text-ink-3">{run.run}</code>
                  {run.foreign !== null && <p className="max-w-[64ch] text-sm text-ink-2">{run.foreign}</p>}
                </td>
                <td className="min-w-32 max-sm:hidden">
                  {index < drawn && run.state.kind !== 'unreadable' && (
                    <Suspense fallback={null}>
                      <MiniTrack cluster={cluster} run={run.run} />
                    </Suspense>
                  )}
                </td>
                <td className="whitespace-nowrap">
                  {run.startedAt === '' ? 'unknown' : <RelativeTime at={run.startedAt} />}
                </td>
                <td className="max-lg:hidden">{holderWords(run.startedBy)}</td>
                <td className="max-lg:hidden">
                  <code className="text-ink-3">{run.planHash === '' ? '–' : shortHash(run.planHash)}</code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </TableBox>
  );
}

/** A run's small track with one signal per step. The words beside it say the same. */
async function MiniTrack({ cluster, run }: { cluster: string; run: string }) {
  const answer = await host().report(cluster, run);
  if (!answer.ok) return null;
  const { operations, state } = answer.value;
  return (
    <>
      <MiniTrackDrawing states={operations.map(({ state }) => state)} />
      <span className="text-xs text-ink-3">{progressWords(operations, state)}</span>
    </>
  );
}
