import { Button, ButtonLink } from '#components/ui/button.tsx';
import type { ReadyState } from '#lib/console/wizard/index.ts';
import { footerWords } from './ready-words.ts';

/** What the decision needs, and the one way on. Always in sight; off where it would lead to a refusal. */
export function ReadyFooter({ state, review }: { state: ReadyState; review: string }) {
  const { lead, rest } = footerWords(state);
  const isOff = state.verdict !== 'ready';
  return (
    // Its ground and its line reach the right edge of a screen that is wider than the content.
    <div className="sticky bottom-0 z-10 -mx-4 [box-shadow:100vmax_0_var(--sheet),100vmax_-1px_var(--line)] [clip-path:inset(-1px_-100vmax_0_0)] mt-5 -mb-5 flex min-h-(--footer-height) flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line bg-sheet px-4 py-3 min-[900px]:-mx-8 min-[900px]:-mb-6 min-[900px]:px-8">
      <p id="ready-reason" aria-live="polite" className="min-w-0 flex-1 basis-60 text-ink-2">
        <b className={`font-semibold ${state.verdict === 'blocked' ? 'text-red' : 'text-ink'}`}>{lead}</b> {rest}
      </p>
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
  );
}
