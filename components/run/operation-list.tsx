import { StateIcon, stateText } from '#components/ui/state-mark.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { duration } from '#lib/base/words.ts';
import type { RunLine, RunView } from '#lib/console/wire.ts';
import { lineWords, type RunPace, secondsOf } from './line-words.ts';

/** The track once more as a list: what a screen reader gets, and where the times and notes are. */
export function OperationList({ operations, pace }: { operations: RunView['operations']; pace: RunPace }) {
  return (
    <ol className="divide-y divide-line">
      {operations.map((line) => (
        <Operation key={line.seq} line={line} pace={pace} />
      ))}
    </ol>
  );
}

function Operation({ line, pace }: { line: RunLine; pace: RunPace }) {
  const { state, word } = lineWords(line, pace);
  const took = secondsOf(line);
  const isQuiet = line.state === 'ahead' || line.state === 'already-done';
  return (
    <li
      className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] gap-x-2.5 px-4 py-2 text-sm"
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className="pt-0.5">
        <StateIcon state={state} />
      </span>
      <span className="min-w-0">
        <span className={`${isQuiet ? 'text-ink-3' : ''} ${state === 'now' ? 'font-semibold' : ''}`}>{line.title}</span>
        {line.note !== null && <span className="block text-ink-3">{line.note}</span>}
      </span>
      <span className="text-right whitespace-nowrap text-ink-3">
        <span className={isQuiet ? '' : stateText[state]}>{word}</span>
        {/* Its line is there before it is: the steps below stand still when this one is finished. */}
        <span className="block min-h-4 text-xs">
          {line.finishedAt !== null && (
            <>
              <ClockTime at={line.finishedAt} />
              {took === null ? '' : took < 1 ? ' · under 1 s' : ` · ${duration(took)}`}
            </>
          )}
        </span>
      </span>
    </li>
  );
}
