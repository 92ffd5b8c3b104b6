import { ChangedPairs } from '#components/runs/changed-pairs.tsx';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { Button } from '#components/ui/button.tsx';
import { inputLook } from '#components/ui/field.tsx';
import { duration } from '#lib/base/words.ts';
import type { FlowChanges } from '#lib/console/host.ts';
import { FailureMessage } from '../failure-message.tsx';
import { FlowTime } from '../flow-time.tsx';
import { QueryLink } from '../table/query-link.tsx';
import { useAnswer } from '../use-answer.ts';
import { isFlowChanges } from './is-flow-changes.ts';

/** Flows tell of a pair by the bucket; a comparison reads two times whole. */
const everyMs = 30_000;

/** The time of the page compared with as long a time right before a run: who talked then, and is denied or silent now. */
export function ChangesPanel({
  url,
  time,
  run,
  onRun,
  onQuery,
}: {
  /** Of the cluster's flows. */
  url: string;
  /** The time of the page, as it is typed; empty: since the run ended. */
  time: string;
  /** Empty: the newest. */
  run: string;
  onRun: (run: string) => void;
  onQuery: (query: string) => void;
}) {
  const takeOver = useTakeOver();
  const path = `${url}/changes?${new URLSearchParams({ run, q: time })}`;
  const answer = useAnswer<FlowChanges>(path, everyMs, isFlowChanges);
  const { read, failed } = answer;
  const trouble = failed !== null && (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-3">
      <FailureMessage message={failed} look="text-red" />
      {run !== '' && <Button onClick={() => onRun('')}>Compare with the newest run</Button>}
    </div>
  );
  if (read === null) return trouble || <p className="min-h-40 px-4 py-3 text-ink-2">Comparing…</p>;
  const { changes, because } = read;
  if (read.run === null)
    return (
      <>
        {trouble}
        <p className="max-w-[80ch] px-4 py-3 text-ink-2">{because}</p>
      </>
    );
  return (
    <div>
      {trouble}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-3">
        <label className="flex min-w-0 flex-wrap items-center gap-x-2">
          Compare with the time before run
          <select
            ref={takeOver}
            autoComplete="off"
            // After a failed read, the content below is still that of the run that was read last.
            value={run === '' || failed !== null ? read.run : run}
            onChange={({ target }) => onRun(target.value)}
            className={`${inputLook} w-auto! min-w-0 max-w-full`}
          >
            {read.runs.map((one) => (
              <option key={one.run} value={one.run}>
                {one.run}, {one.goal}
              </option>
            ))}
          </select>
        </label>
        {answer.path !== path && <span className="text-sm text-ink-3">Comparing…</span>}
      </div>
      {changes === null ? (
        <p className="max-w-[80ch] px-4 py-3 text-ink-2">{because}</p>
      ) : (
        <>
          <p className="px-4 pt-2 text-sm text-ink-3">
            <Compared time={changes.since} recorded={changes.secondsSince} />, compared with{' '}
            <Compared time={changes.before} recorded={changes.secondsBefore} />
          </p>
          <ChangedPairs
            changes={changes}
            leads={(pair, names) => (
              <QueryLink query={pair.query} onQuery={onQuery} of={`flows to ${pair.to}`}>
                {names}
              </QueryLink>
            )}
          />
        </>
      )}
    </div>
  );
}

/** A time that is compared, and how much of it there is to compare where that is less. */
function Compared({ time: { since, until }, recorded }: { time: FlowTimes; recorded: number }) {
  return (
    <>
      <FlowTime at={since} /> to <FlowTime at={until} />
      {recorded < until - since && <span className="text-ink-2"> ({duration(recorded)} of it recorded)</span>}
    </>
  );
}

type FlowTimes = NonNullable<FlowChanges['changes']>['before'];
