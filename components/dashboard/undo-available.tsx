import Link from 'next/link';
import { runPath } from '#components/frame/paths.ts';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { host, type Slug } from '#lib/console/host.ts';
import { goalName } from './run-standing.ts';
import { undoableRun } from './undoable-run.ts';

/** Which run can be taken back, if any. */
export async function UndoAvailable({ cluster }: { cluster: Slug }) {
  const answer = await host()
    .runs(cluster)
    .catch(() => null);
  if (!answer?.ok)
    return (
      <>
        <StateMark state="unknown">Not known</StateMark>
        {answer && <p className="text-ink-2">{answer.message}</p>}
      </>
    );
  const run = undoableRun(answer.value.runs);
  if (!run) return <span className="text-ink-2">nothing was changed by a run, so there is nothing to take back</span>;
  return (
    <>
      <Link href={runPath(cluster, run.run)} prefetch={false}>
        {goalName(run.goal)}
      </Link>
      , begun <RelativeTime at={run.startedAt} />; what it found before is kept in its journal
    </>
  );
}
