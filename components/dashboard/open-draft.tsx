import { ButtonLink } from '#components/ui/button.tsx';
import { host, type Slug } from '#lib/console/host.ts';
import { openStep, stepPath } from '#lib/console/wizard/index.ts';

/** Answers that were given and have not become a run: the way back to them. */
export async function OpenDraft({ cluster }: { cluster: Slug }) {
  const drafts = await host()
    .drafts(cluster)
    .catch(() => []);
  const draft = drafts.find(({ run }) => run === null);
  if (!draft) return null;
  return (
    <ButtonLink href={stepPath(cluster, draft.id, openStep(draft.answers.goal, draft.answered))}>
      Continue the draft
    </ButtonLink>
  );
}
