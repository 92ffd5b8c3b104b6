import { ButtonLink } from '#components/ui/button.tsx';
import { host, type Slug } from '#lib/console/host.ts';
import { stepIds, stepPath } from '#lib/console/wizard/index.ts';

/** Answers that were given and have not become a run: the way back to them. */
export async function OpenDraft({ cluster }: { cluster: Slug }) {
  const drafts = await host()
    .drafts(cluster)
    .catch(() => []);
  const draft = drafts.find(({ run }) => run === null);
  if (!draft) return null;
  const step = stepIds.find((one) => !draft.answered.includes(one)) ?? 'review';
  return <ButtonLink href={stepPath(cluster, draft.id, step)}>Continue the draft</ButtonLink>;
}
