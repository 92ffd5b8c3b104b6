'use client';

import { useState } from 'react';
import { Button, type ButtonKind } from '#components/ui/button.tsx';
import type { RunRequest } from '#lib/console/host.ts';
import type { RunView } from '#lib/console/wire.ts';
import type { PauseChoice, RunState } from '#lib/run/index.ts';
import { isWantedPause } from '#lib/run/model/has-ended.ts';
import { OutcomeStrip } from './outcome-strip.tsx';
import { AcceptForm } from './requests/accept-form.tsx';
import type { RunRequests } from './requests/use-run-request.ts';
import { pausedWords, pauseMark } from './run-words.ts';
import { SubjectList } from './subject-list.tsx';
import type { WayBackWords } from './way-back-words.ts';

type Paused = Extract<RunState, { kind: 'paused' }>;

const choices: Record<
  Exclude<PauseChoice, 'undo'>,
  { words: string; action: RunRequest['action']; kind: ButtonKind }
> = {
  'keep-waiting': { words: 'Keep waiting', action: 'resume', kind: 'plain' },
  resume: { words: 'Resume', action: 'resume', kind: 'primary' },
  acknowledge: { words: 'Accept it, because…', action: 'resume', kind: 'plain' },
  stop: { words: 'Stop…', action: 'stop', kind: 'plain' },
  'take-over': { words: 'Take over', action: 'take-over', kind: 'primary' },
};

function wayBack({ ask }: WayBackWords): { words: string; action: 'undo'; kind: ButtonKind } {
  return { words: ask, action: 'undo', kind: 'danger' };
}

/** Why a run is paused, what that means for the cluster, which objects it is about, and what can be chosen now. */
export function ProblemPanel({
  state,
  operations,
  us,
  back,
  requests,
  onPress,
}: {
  state: Paused;
  /** This console's process. */
  us: string;
  operations: RunView['operations'];
  back: WayBackWords;
  requests: RunRequests;
  onPress: (action: RunRequest['action']) => void;
}) {
  const [isAccepting, setAccepting] = useState(false);
  const isAsked = state.code === 'asked';
  const mark = pauseMark(state.code);
  const where = operations.find(({ seq }) => seq === state.seq)?.title;
  return (
    <section aria-label="Why the run is paused">
      <OutcomeStrip
        state={mark}
        title={
          isAsked ? (
            pausedWords(state.by, us)
          ) : (
            <>
              {state.because} <code className="font-normal text-ink-2">{state.code}</code>
            </>
          )
        }
        actions={state.choices.map((choice) => {
          const { words, action, kind } = choice === 'undo' ? wayBack(back) : choices[choice];
          return (
            <Button
              key={choice}
              kind={kind}
              disabled={requests.asking !== null}
              aria-expanded={choice === 'acknowledge' ? isAccepting : undefined}
              onClick={() => (choice === 'acknowledge' ? setAccepting(!isAccepting) : onPress(action))}
            >
              {words}
            </Button>
          );
        })}
      >
        <p>
          {/* Most reasons begin with their step. */}
          {!isWantedPause(state.code) &&
            where !== undefined &&
            !state.because.startsWith(where) &&
            `Paused at “${where}”. `}
          {state.meaning}
        </p>
        <SubjectList subjects={state.subjects} />
        {isAccepting && (
          <div className="mt-3">
            <AcceptForm operation={state.id} requests={requests} />
          </div>
        )}
      </OutcomeStrip>
    </section>
  );
}
