import Link from 'next/link';
import { runPath } from '#components/frame/paths.ts';
import { StateMark } from '#components/ui/state-mark.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { host, type Slug } from '#lib/console/host.ts';
import type { ShownRun } from '#lib/run/index.ts';
import type { CalicoHere } from '../calico-here.ts';
import { goalName, runStateWords } from '../run-state-words.ts';

/** The run that can be undone: the newest one that is not undone, because later runs build on earlier ones. */
export async function UndoAvailable({ cluster, calico }: { cluster: Slug; calico: CalicoHere }) {
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
  const run = answer.value.runs.find(({ state }) => state.kind !== 'undone');
  if (!run) {
    const isFirst = answer.value.runs.length === 0;
    return (
      <span className="text-ink-2">
        {isFirst ? 'nothing to undo: no run here yet' : 'nothing to undo: every run was undone'}
        {calico !== 'nothing' && '. Only runs of Signalbox can be undone.'}
      </span>
    );
  }
  const link = (
    <Link href={runPath(cluster, run.run)} prefetch={false}>
      {goalName(run)}
    </Link>
  );
  const begun = <RelativeTime at={run.startedAt} />;
  switch (takenBack(run)) {
    case 'now':
      return (
        <>
          {link}, begun {begun}; its journal keeps what it found before
          {run.goal === 'install' && ', and an undo uninstalls Calico'}
        </>
      );
    case 'claimed':
      return (
        <>
          {link}, begun {begun}, is not verified: its page reviews it before it can be undone
        </>
      );
    case 'from-its-page':
      return (
        <>
          {link}, begun {begun}, has not ended; it can be undone from its page
        </>
      );
    case 'not-by-us':
      return (
        <>
          {link}, begun {begun}, was journalled by another version: undo it with that one
        </>
      );
  }
}

function takenBack(run: ShownRun): 'now' | 'claimed' | 'from-its-page' | 'not-by-us' {
  if (run.state.kind === 'unreadable') return 'not-by-us';
  if (run.foreign !== null) return 'claimed';
  return runStateWords(run).isOpen ? 'from-its-page' : 'now';
}
