import { type State, StateMark } from '#components/ui/state-mark.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { counted, duration, thousands } from '#lib/base/words.ts';
import { type RunView, runSentence } from '#lib/console/wire.ts';
import { explainAfterSeconds, firstLook } from './nodes/first-look.ts';
import { countedNodes } from './nodes/node-words.ts';
import { outcomeRoom } from './outcome-strip.tsx';

/** What is going on in one sentence, and, once a wait gets long, what it is about. `nowMs`: milliseconds of `Date.now()`. */
export function SentencePanel({ view, state, nowMs }: { view: RunView; state: State; nowMs: number }) {
  const nodes = countedNodes(view);
  const sentence = runSentence(view, nowMs);
  return (
    <div className={`flex flex-col border-t border-line px-4 py-3.5 ${outcomeRoom}`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="min-w-0 flex-1 basis-80">
          <strong className="font-semibold">{sentence.lead}</strong> {sentence.rest}
        </p>
        {nodes && (
          <StateMark state={nodes.arrived === nodes.counted ? 'ok' : state}>
            {thousands(nodes.arrived)} of {counted(nodes.counted, 'node')}
          </StateMark>
        )}
      </div>
      <Wait view={view} nowMs={nowMs} />
    </div>
  );
}

function Wait({ view: { now }, nowMs }: { view: RunView; nowMs: number }) {
  if (now === null || now.awaiting === null) return null;
  const waited = (nowMs - Date.parse(now.since)) / 1000;
  const first = now.heldUpBy[0];
  const look = waited > explainAfterSeconds && first ? firstLook(first) : null;
  return (
    // At the foot of its room: it stands where it stood when the sentence above takes another line.
    <div className="mt-auto">
      <p className="pt-1 text-sm text-ink-3">
        For {duration(waited)}; usually {duration(now.usualSeconds)}
        {now.deadlineAt !== null && (
          <>
            ; pauses at <ClockTime at={now.deadlineAt} to="minute" />
          </>
        )}
        .
      </p>
      {look && (
        <p className="mt-1 text-sm text-ink-2">
          First thing to look at: <code className="break-words">{look}</code>
        </p>
      )}
    </div>
  );
}
