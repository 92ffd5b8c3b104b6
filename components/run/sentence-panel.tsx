import { BreakableText } from '#components/ui/breakable-text.tsx';
import { type State, StateMark } from '#components/ui/state-mark.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { counted, duration, thousands } from '#lib/base/words.ts';
import { type RunView, runSentence } from '#lib/console/wire.ts';
import { explainAfterSeconds, firstLook } from './nodes/first-look.ts';
import { countedNodes } from './nodes/node-words.ts';
import { outcomeRoom } from './outcome-strip.tsx';

/** What is going on in one sentence and, after a long wait, what it waits for. `nowMs`: milliseconds of `Date.now()`. */
export function SentencePanel({
  view,
  state,
  nowMs,
  kubectl,
}: {
  view: RunView;
  state: State;
  nowMs: number;
  /** With the flags that name the cluster. */
  kubectl: string;
}) {
  const nodes = countedNodes(view);
  const sentence = runSentence(view, nowMs);
  return (
    <div className={`flex flex-col border-t border-line px-4 py-3.5 ${outcomeRoom}`}>
      {/* The key makes a new paragraph for each sentence, so that React does not move the second half of the last one. */}
      <p key={sentence.lead} className="max-w-[100ch]">
        <strong className="font-semibold">{sentence.lead}</strong> {sentence.rest}
      </p>
      {/* At the bottom of the panel, so that it stays in place when the sentence above takes another line. */}
      <div className="mt-auto grid grid-cols-1 items-end gap-x-6 gap-y-1 pt-1 max-sm:grid-rows-[minmax(1.25rem,auto)_auto] sm:grid-cols-[minmax(0,1fr)_auto]">
        <Wait view={view} nowMs={nowMs} kubectl={kubectl} />
        {nodes && (
          <span className="max-sm:row-start-1">
            <StateMark state={nodes.arrived === nodes.counted ? 'ok' : state}>
              {thousands(nodes.arrived)} of {counted(nodes.counted, 'node')}
            </StateMark>
          </span>
        )}
      </div>
    </div>
  );
}

function Wait({ view: { now }, nowMs, kubectl }: { view: RunView; nowMs: number; kubectl: string }) {
  if (now === null || now.awaiting === null) return null;
  const waited = (nowMs - Date.parse(now.since)) / 1000;
  const first = now.heldUpBy[0];
  const look = waited > explainAfterSeconds && first ? firstLook(first, kubectl) : null;
  return (
    <div className="min-w-0 max-sm:row-start-2">
      {look && (
        <p className="mb-1 max-w-[100ch] text-sm text-ink-2">
          First thing to look at:{' '}
          <code className="break-words">
            <BreakableText text={look} />
          </code>
        </p>
      )}
      <p className="text-sm text-ink-3 max-sm:min-h-9">
        For {duration(waited)}; typically {duration(now.usualSeconds)}
        {now.deadlineAt !== null && (
          <>
            ; pauses at <ClockTime at={now.deadlineAt} to="minute" />
          </>
        )}
        .
      </p>
    </div>
  );
}
