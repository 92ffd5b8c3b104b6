'use client';

import { useState } from 'react';
import { Button, type ButtonKind } from '#components/ui/button.tsx';
import { stateTint } from '#components/ui/state.ts';
import { StateIcon } from '#components/ui/state-mark.tsx';
import type { RunRequest } from '#lib/console/host.ts';
import type { PauseChoice, RunState } from '#lib/run/index.ts';
import { AcceptForm } from './accept-form.tsx';
import { pauseMark } from './run-words.ts';
import { SubjectList } from './subject-list.tsx';
import type { RunRequests } from './use-run-request.ts';
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

/** Why a run stands still, what that means for the cluster, whom it is about, and what may be chosen now. */
export function ProblemPanel({
  state,
  back,
  requests,
  onPress,
}: {
  state: Paused;
  back: WayBackWords;
  requests: RunRequests;
  onPress: (action: RunRequest['action']) => void;
}) {
  const [isAccepting, setAccepting] = useState(false);
  const isAsked = state.code === 'asked';
  const mark = pauseMark(state.code);
  return (
    <section
      aria-label="Why the run is paused"
      className={`flex gap-3 rounded-md border border-line px-4 py-3.5 ${stateTint[mark]}`}
    >
      <span className="mt-[3px]">
        <StateIcon state={mark} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div>
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h2 className="font-semibold">{isAsked ? 'Paused, as somebody asked' : state.because}</h2>
            {!isAsked && <code className="text-ink-2">{state.code}</code>}
          </div>
          <p className="mt-0.5 text-ink-2">{state.meaning}</p>
        </div>
        <SubjectList subjects={state.subjects} />
        <div className="flex flex-wrap gap-2">
          {state.choices.map((choice) => {
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
        </div>
        {isAccepting && <AcceptForm operation={state.id} requests={requests} />}
      </div>
    </section>
  );
}
