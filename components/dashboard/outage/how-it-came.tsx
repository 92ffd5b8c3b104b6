import Link from 'next/link';
import type { ReactNode } from 'react';
import { runPath } from '#components/frame/paths.ts';
import { holderWords } from '#components/run/run-words.ts';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { inList } from '#lib/base/words.ts';
import { host, type Slug } from '#lib/console/host.ts';
import { goalName, runStateWords } from '../run-state-words.ts';
import { lastRuns } from './last-runs.ts';
import { type OutageLine, outageLines } from './outage-lines.ts';

/** What is recorded about the events before an outage, and what of it could not be read. */
export async function HowItCame({ cluster }: { cluster: Slug }) {
  const [read, { runs, unread }] = await Promise.all([
    host()
      .lastChanges(cluster)
      .catch(() => null),
    lastRuns(cluster),
  ]);
  const { changes, unknown } = read?.ok
    ? read.value
    : { changes: [], unknown: [read?.message ?? 'The changes of the cluster could not be read.'] };
  const notRead = [...(unread === null ? [] : [unread]), ...unknown];
  const lines = outageLines(
    runs.map(({ shown, view }) => ({ shown, steps: view?.operations ?? [] })),
    changes,
  );
  return (
    <Panel title="How it came to this">
      {lines.length === 0 && notRead.length === 0 && (
        <p className="px-4 py-3 text-ink-2">Nothing is recorded: there is no run, and no object shows a change.</p>
      )}
      {lines.length > 0 && (
        <ol className="text-sm">
          {lines.map((line, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name
              key={index}
              className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-4 border-t border-line px-4 py-2 first:border-t-0 max-sm:grid-cols-1"
            >
              <span className="text-ink-3">
                {line.at === null ? 'time not recorded' : <RelativeTime at={line.at} />}
              </span>
              <span className="[overflow-wrap:anywhere]">{wordsOf(line, cluster)}</span>
            </li>
          ))}
        </ol>
      )}
      {notRead.map((because) => (
        <p key={because} className="border-t border-line px-4 py-2 text-sm first:border-t-0">
          <StateMark state="unknown">Not read: {because}</StateMark>
        </p>
      ))}
      <p className="border-t border-line px-4 py-2 text-xs text-ink-3">
        Kubernetes records who set a field, and when they last changed that object. It records no earlier values.
      </p>
    </Panel>
  );
}

const stepWords: Record<Extract<OutageLine, { kind: 'step' }>['came'], (title: string) => string> = {
  done: (title) => title,
  begun: (title) => `${title}: begun, and not seen to end`,
  undone: (title) => `The run undid: ${title}`,
  undoing: (title) => `The run began to undo: ${title}`,
};

function wordsOf(line: OutageLine, cluster: Slug): ReactNode {
  if (line.kind === 'step') return `${stepWords[line.came](line.title)}${line.claimed ? ', not verified' : ''}`;
  if (line.kind === 'run') {
    const { run } = line;
    return (
      <>
        <Link href={runPath(cluster, run.run)} prefetch={false}>
          {goalName(run)}
        </Link>
        , started by <b className="font-semibold">{holderWords(run.startedBy)}</b>
        {run.foreign === null ? '' : ', as its journal claims'}. {runStateWords(run).sentence}.
      </>
    );
  }
  const { object, field, value, by } = line.change;
  if (field === null)
    return (
      <>
        <code>{object}</code> does not exist. Kubernetes does not record whether it was deleted, or by whom.
      </>
    );
  return (
    <>
      <code>{object}</code>: <code>{field}</code> is <code>{value}</code>
      {by.length === 0 ? (
        ', without a record of who set it'
      ) : (
        <>
          , set by <b className="font-semibold">{inList(by)}</b>
        </>
      )}
    </>
  );
}
