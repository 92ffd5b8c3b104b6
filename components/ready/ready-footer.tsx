import type { ReactNode } from 'react';
import { Button, ButtonLink } from '#components/ui/button.tsx';
import { DecisionFooter } from '#components/ui/decision-footer.tsx';
import type { ReadyState } from '#lib/console/wizard/index.ts';
import { footerWords } from './ready-words.ts';

/** Says what is missing for the plan, with the button to the review. It is always visible; the button is off while the review would be refused. */
export function ReadyFooter({ state, review, again }: { state: ReadyState; review: string; again: ReactNode }) {
  const { lead, rest } = footerWords(state);
  const isOff = state.verdict !== 'ready';
  return (
    <DecisionFooter>
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p id="ready-reason" aria-live="polite" className="min-w-0 flex-1 basis-60 text-ink-2">
          <b className={`font-semibold ${state.verdict === 'blocked' ? 'text-red' : 'text-ink'}`}>{lead}</b> {rest}
        </p>
        {again}
        {isOff ? (
          <Button kind="primary" disabled aria-describedby="ready-reason" className="max-[639px]:w-full">
            Review the plan
          </Button>
        ) : (
          <ButtonLink kind="primary" href={review} className="max-[639px]:w-full">
            Review the plan
          </ButtonLink>
        )}
      </div>
    </DecisionFooter>
  );
}
