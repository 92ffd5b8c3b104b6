import { runTitle } from '#components/run/run-words.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import type { Draft } from '#lib/console/host.ts';
import { draftPageName, isOnReadyPage, stepIdsOf } from '#lib/console/wizard/index.ts';
import { DiscardDraft } from './discard-draft.tsx';
import { RenameDraft } from './rename-draft.tsx';

/** Answers that have not become a run yet. */
export function DraftsTable({ cluster, name, drafts }: { cluster: string; name: string; drafts: Draft[] }) {
  return (
    <ul className="divide-y divide-line">
      {drafts.map((draft) => {
        const { id, answers, answered, createdAt, updatedAt } = draft;
        const steps = stepIdsOf(answers).filter((step) => step !== 'review' && step !== 'run');
        const done = steps.filter((step) => answered.includes(step)).length;
        const title = runTitle(answers, name);
        // The time of creation distinguishes drafts of the same goal.
        const called = draft.name ?? `${title}, begun ${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)} UTC`;
        return (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
            <span className="min-w-0">
              <span className="block font-[560]">{called}</span>
              <span className="block text-sm text-ink-2">
                {draft.name === null ? '' : `${title} · `}
                {isOnReadyPage(draft)
                  ? 'Taken as proposed'
                  : `${done} of ${steps.length} questions answered · continues at ${draftPageName(draft)}`}{' '}
                · last changed <RelativeTime at={updatedAt} />
              </span>
            </span>
            <span className="flex flex-wrap gap-2">
              <ButtonLink href={`/clusters/${cluster}/runs/${id}`} aria-label={`Continue: ${called}`}>
                Continue
              </ButtonLink>
              <RenameDraft cluster={cluster} draft={id} name={draft.name} title={called} />
              <DiscardDraft cluster={cluster} draft={id} title={called} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
