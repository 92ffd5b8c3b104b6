import { crossingTracks, MarkIcon } from '#components/review/marks/mark-icon.tsx';
import { Chevron } from '#components/ui/chevron.tsx';
import { StateIcon, stateText } from '#components/ui/state-mark.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { duration } from '#lib/base/words.ts';
import type { RunLine } from '#lib/console/wire.ts';
import { lineWords, type RunPace, secondsOf } from '../line-words.ts';
import { StepInside } from './step-inside.tsx';
import type { FirstReading } from './use-step-inside.ts';

export type StepRowProps = {
  cluster: string;
  run: string;
  line: RunLine;
  touchesTraffic: boolean;
  pace: RunPace;
  isOpen: boolean;
  /** The reading of this step that the server rendered; null: none. */
  first: FirstReading | null;
  onToggle: () => void;
};

/** A step as one line, which opens to its note and details. Its height does not depend on its state, so that the page stays in place while steps finish. */
export function StepRow({ cluster, run, line, touchesTraffic, pace, isOpen, first, onToggle }: StepRowProps) {
  const { state, word } = lineWords(line, pace);
  const isQuiet = line.state === 'ahead' || line.state === 'already-done';
  const inside = `inside-step-${line.seq}`;
  return (
    <li id={`step-${line.seq}`} className={isOpen ? 'bg-sunk' : ''} aria-current={state === 'now' ? 'step' : undefined}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? inside : undefined}
        onClick={onToggle}
        className="grid w-full grid-cols-[1.25rem_1.5rem_minmax(0,1fr)_0.75rem] items-baseline sm:grid-cols-[1.25rem_1.5rem_minmax(0,1fr)_auto_0.75rem] gap-x-2 px-4 py-1.5 text-left text-sm hover:bg-sunk"
      >
        <span className="relative self-stretch pt-0.5 max-sm:row-span-2">
          <Rails />
          <span className="relative block w-4 rounded-full bg-sheet">
            <StateIcon state={state} />
          </span>
        </span>
        <span className="text-right text-ink-3">{line.seq}</span>
        <span className="min-w-0">
          <span className={`${isQuiet ? 'text-ink-2' : ''} ${state === 'now' ? 'font-semibold' : ''}`}>
            {line.title}
          </span>
          {touchesTraffic && (
            <span className="ml-2 inline-flex items-center gap-1.5 align-bottom font-[560] whitespace-nowrap">
              <MarkIcon>{crossingTracks}</MarkIcon>
              touches traffic
            </span>
          )}
        </span>
        {/* On a telephone below the title, which has the width. */}
        <span className="whitespace-nowrap max-sm:col-start-3 max-sm:row-start-2 sm:text-right">
          <span key={word} className={isQuiet ? 'text-ink-3' : stateText[state]}>
            {word}
          </span>
          <Times line={line} />
        </span>
        <span
          className={`self-center max-sm:col-start-4 max-sm:row-span-2 max-sm:row-start-1 ${isOpen ? 'rotate-90' : ''}`}
        >
          <Chevron />
        </span>
      </button>
      {isOpen && (
        <section id={inside} aria-label={`Inside of step ${line.seq}`} className="px-4 pt-1 pb-4 sm:pl-[4.75rem]">
          {line.note !== null && <p className="mb-3 text-sm text-ink-2">{line.note}</p>}
          <StepInside cluster={cluster} run={run} line={line} first={first} />
        </section>
      )}
    </li>
  );
}

function Times({ line }: { line: RunLine }) {
  const took = secondsOf(line);
  if (line.finishedAt === null) return null;
  return (
    <span className="text-ink-3">
      <span className="max-sm:hidden">
        {' · '}
        <ClockTime at={line.finishedAt} />
      </span>
      {took === null ? '' : ' · '}
      {took === null ? '' : took < 1 ? 'under 1 s' : duration(took)}
    </span>
  );
}

/** The two rails beside the steps: on a narrow screen the list takes the place of the track. */
function Rails() {
  return (
    <span
      aria-hidden="true"
      className="absolute -top-1.5 -bottom-1.5 left-[5px] w-1.5 border-x border-edge sm:hidden"
    />
  );
}
